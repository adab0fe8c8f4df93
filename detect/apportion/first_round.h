/*
 * Work that few samples tell of, but that is known from another interval (intervals.h): the first
 * round of a loop lies behind another call than the rounds after it, leads to the same one and
 * takes each rank as long. It is rare, so it has few samples, or none; those that it has must look
 * as if drawn from the other's (stats/same_draw.h).
 */
#ifndef SCA_DETECT_FIRST_ROUND_H
#define SCA_DETECT_FIRST_ROUND_H

#include "apportion/rank_intervals.h"

/* Per interval, one with more samples that it may be the first round of; else SCA_NONE. `out` has
 * intervals->n. SCA_OK or SCA_ENOMEM. */
int sca_first_round_find(const struct sca_intervals *intervals, const struct sca_pool *pool,
                         const struct sca_typical *typical, uint32_t *out);

/* Whether it is one for the rank at hand: rarer than the others, and as long. */
bool sca_first_round_is(const struct sca_rank_intervals *g, uint32_t interval, uint32_t of);

#endif
