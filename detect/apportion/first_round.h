/*
 * Work that nobody was sampled at, but that is known from another gap (intervals.h): the first
 * round of a loop lies behind another call than the rounds after it, leads to the same one and
 * takes each rank as long. It is rare, so it has few samples, or none.
 */
#ifndef SCA_DETECT_FIRST_ROUND_H
#define SCA_DETECT_FIRST_ROUND_H

#include "apportion/rank_intervals.h"

/* Per gap without samples, the one that it may be the first round of; else SCA_NONE. `out` has
 * gaps->n. SCA_OK or SCA_ENOMEM. */
int sca_first_rounds(const struct sca_gaps *gaps, const struct sca_pool *pool,
                     const struct sca_typical *typical, uint32_t *out);

/* Whether it is one for the rank at hand: rarer than the others, and as long. */
bool sca_is_first_round(const struct sca_rank_gaps *g, uint32_t gap, uint32_t of);

#endif
