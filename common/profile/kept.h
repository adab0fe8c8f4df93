/*
 * What a run keeps of a file that took part in it (doc/FORMATS.md, "CODE"): ranges of its bytes at
 * their own places. What is left out reads as zero; its sections have no bytes by their headers.
 *
 * Writing is done by rank 0 inside Finalize: no allocation. Reading is for the tools.
 */
#ifndef SCA_KEPT_H
#define SCA_KEPT_H

#include "sca_profile.h"
#include "sca_wire.h"

struct sca_region;

enum { SCA_KEPT_VERSION = 1 };

struct sca_kept_head {
    const char *path;     /* as the run's modules have it */
    const char *build_id; /* lower-case hex, "" if it has none */
    uint64_t size;        /* of the file */
    uint32_t extent;      /* enum sca_kept_extent */
    uint32_t nranges;
};

/* The head, then each range. */
void sca_kept_put_head(struct sca_writer *w, const struct sca_kept_head *head);
void sca_kept_put_range(struct sca_writer *w, uint64_t offset, const void *bytes, size_t length);

/* `content` must live as long as `out`. SCA_EFORMAT, SCA_ENOMEM; a later version is
 * SCA_EVERSION: then there is nothing for us in it. */
int sca_kept_read(const void *content, size_t length, struct sca_region *region,
                  struct sca_kept *out);

#endif
