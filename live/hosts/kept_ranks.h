/*
 * What both ends of the tree know of a host's ranks: a copy of each one's state. Owns them.
 */
#ifndef SCA_LIVE_KEPT_RANKS_H
#define SCA_LIVE_KEPT_RANKS_H

#include "sca_copy.h"

struct sca_kept_ranks {
    uint32_t n;
    struct sca_copy *copy; /* by rising rank */
};

/* The ranks are these now, rising: copies of those that were there stay, new ones are empty. Those
 * that are none any more go to `gone`, behind what is there; NULL: they are dropped. */
void sca_kept_ranks_set(struct sca_kept_ranks *kept, const uint32_t *ranks, uint32_t n,
                        struct sca_kept_ranks *gone);
void sca_kept_ranks_free(struct sca_kept_ranks *kept);

/* The parts of a run directory, those of ranks of this host alone, by rising rank. `note` says why
 * one cannot be read; it stays as it is where all can. */
void sca_kept_ranks_take(struct sca_kept_ranks *out, const char *directory, char *note,
                         size_t note_size);

#endif
