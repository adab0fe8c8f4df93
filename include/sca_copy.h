/*
 * Copies of ranks' live states for another host: what has changed since the last one, in few bytes.
 *
 * Both sides keep what the receiver knows of each rank. A message brings that up to date: instants
 * come in whole milliseconds, counts are exact, and what is added to a total of time has three
 * significant bits. The sender keeps what it rounded off and adds it the next time, so that no
 * total is ever wrong by more than an eighth of what was added last. Fields of one kind follow each
 * other, rank after rank, so that a stream packer finds what resembles.
 *
 * Series and named phases are large, and only a report has use for them. They travel by themselves,
 * whole and exact, and where a copy has none, there are none.
 *
 * A copy can be written as a part, which readers of run directories take for the rank's own
 * (sca_part.h: enum sca_observed). For tools: it allocates. Not thread-safe for the same copies.
 */
#ifndef SCA_COPY_H
#define SCA_COPY_H

#include "sca_part.h"
#include "sca_wire.h"

#include <stdbool.h>

/* What a message brings, in this order. */
enum sca_copy_layer {
    SCA_COPY_MOMENT = 1, /* what ranks do now, whom they wait for, messages, new code places */
    SCA_COPY_TOTALS = 2, /* times and samples */
    SCA_COPY_WINDOWS = 4 /* recorded iterations and messages */
};

/* Of one source, thinned as a profile would be (profile/series_marks.h). */
struct sca_copy_series {
    uint32_t source; /* enum sca_series_source */
    uint32_t nmarks, nphases;
    struct sca_part_mark *marks;   /* at most SCA_SERIES_MARKS */
    struct sca_part_phase *phases; /* at most SCA_SERIES_PHASES; names are the copy's strings */
};

struct sca_copy {
    uint32_t rank;
    uint64_t identity; /* of its process; 0: there is nothing yet */
    struct sca_part_header header;
    uint8_t *record[SCA_T_COUNT]; /* as many as the header counts; offsets mean nothing */
    uint32_t room[SCA_T_COUNT];   /* records */
    struct sca_copy_series series;
};

/* Of a part of this host, with its series or without; the caller's to free. SCA_ENOTFOUND, SCA_EIO,
 * SCA_EFORMAT, SCA_EVERSION, SCA_ENOMEM: nothing is in it. */
int sca_copy_take(const char *path, bool series, struct sca_copy *out);
/* A new file, without the empty space of the original. SCA_EIO. */
int sca_copy_write(const struct sca_copy *copy, const char *path);
void sca_copy_free(struct sca_copy *copy);

/* The most bytes that sca_copies_send() may take for these. */
size_t sca_copies_bound(const struct sca_copy *now, uint32_t n);
/* Writes what is new in `now`; `known`, of the same ranks, becomes what the receiver knows then. A
 * rank's process that is another one begins anew. SCA_ENOMEM: `known` is of no use any more. */
int sca_copies_send(struct sca_copy *known, const struct sca_copy *now, uint32_t n, unsigned layers,
                    struct sca_writer *to);
/* SCA_EFORMAT: it is not such a message; SCA_ENOMEM. `known` is of no use any more then. What
 * indices refer to is checked by who reads the part that is made of it. */
int sca_copies_receive(struct sca_copy *known, uint32_t n, struct sca_reader *from);

/* The most bytes that sca_copy_series_send() may take. */
size_t sca_copy_series_bound(const struct sca_copy *copy);
void sca_copy_series_send(const struct sca_copy *copy, struct sca_writer *to);
/* What was sent, instead of what the copy has. SCA_EFORMAT, SCA_ENOMEM: it has none then. What
 * phases refer to is checked by who reads the part that is made of it. */
int sca_copy_series_receive(struct sca_copy *copy, struct sca_reader *from);
void sca_copy_series_drop(struct sca_copy *copy);

#endif
