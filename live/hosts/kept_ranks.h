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

/* The parts of a run directory, those of ranks of this host alone, by rising rank, with their
 * series or without. `note` says why one cannot be read; it stays as it is where all can. */
void sca_kept_ranks_take(struct sca_kept_ranks *out, const char *directory, bool series, char *note,
                         size_t note_size);

/* Series of ranks [first, first + n) into bytes that are the caller's to free; of each its number
 * (varint), and what sca_copy_series_send() writes. */
uint8_t *sca_kept_ranks_pack_series(const struct sca_kept_ranks *kept, uint32_t first, uint32_t n,
                                    size_t *length);
/* What was packed; of ranks that are not there it is passed over. SCA_EFORMAT, SCA_ENOMEM. */
int sca_kept_ranks_take_series(struct sca_kept_ranks *kept, struct sca_reader *from);
void sca_kept_ranks_drop_series(struct sca_kept_ranks *kept);

#endif
