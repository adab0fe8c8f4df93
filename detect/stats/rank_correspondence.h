/*
 * Which ranks of one run correspond to which of another on more or fewer ranks: a defect that moves
 * with the number of ranks is on the last one, or halfway, in each.
 */
#ifndef SCA_DETECT_RANK_CORRESPONDENCE_H
#define SCA_DETECT_RANK_CORRESPONDENCE_H

#include <stdint.h>

/* How many of the `n` ranks, of a run on nranks, have one among the `nothers` of a run on
 * nranks_of_others. */
uint32_t sca_rank_correspondence_count(const uint32_t *ranks, uint32_t n, uint32_t nranks,
                                       const uint32_t *others, uint32_t nothers,
                                       uint32_t nranks_of_others);

#endif
