/*
 * The series of all ranks on their way into the profile: each follows its rank's image, rank 0 puts
 * them together (profile/series_marks.h). On the thread that calls Finalize. Never allocates.
 */
#ifndef SCA_PROF_GATHER_SERIES_H
#define SCA_PROF_GATHER_SERIES_H

#include "finish/profile_file.h"
#include "profile/series_marks.h"

enum { SCA_SERIES_BLOCKS = 64 + SCA_SERIES_PHASES };

struct sca_gathered_series {
    struct sca_series_sum sum;
    bool on;
    struct {
        void *memory;
        size_t bytes;
    } block[SCA_SERIES_BLOCKS];
    unsigned nblocks;
};

/* Appends this rank's, and how long it is. */
void sca_gathered_series_put(struct sca_writer *w);

/* Rank 0. Without memory there is no series, and all else goes on. */
void sca_gathered_series_begin(struct sca_gathered_series *all, uint32_t nranks);
/* What a rank sent, ranks rising: the length of its image, which is the first part. */
size_t sca_gathered_series_add(struct sca_gathered_series *all, uint32_t rank, const void *bytes,
                               size_t length);
/* The chunk into the file: the number of chunks, 0 or 1. */
uint32_t sca_gathered_series_append(struct sca_gathered_series *all, struct sca_profile_file *file);
void sca_gathered_series_end(struct sca_gathered_series *all);

#endif
