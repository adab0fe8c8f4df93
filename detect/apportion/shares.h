/*
 * Splits what each rank computed in each interval over vertices (run->shares), so that the sum
 * stays exact: by its samples there (posterior.h), or, where nobody was sampled and for time off
 * the core whose place is not known (blocked_places.h), by the place itself.
 */
#ifndef SCA_DETECT_SHARES_H
#define SCA_DETECT_SHARES_H

#include "graph/ppg.h"
#include "apportion/rank_intervals.h"

/* Fills shares, first_share and comp of the run; first_share and comp are allocated and zero.
 * `intervals` takes one rank after the other; `pool` is closed. SCA_OK or SCA_ENOMEM. */
int sca_shares_build(const struct sca_ppg *ppg, struct sca_ppg_run *run,
                     struct sca_rank_intervals *intervals, const struct sca_pool *pool,
                     struct sca_opened *opened);

#endif
