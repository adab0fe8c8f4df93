/*
 * The first round of a loop, and what follows its last: the interval that comes into the loop, and
 * the one that goes out of it. Part of what is computed there is what every round computes, between
 * the loop's head and the call, or between the call and the loop's end. Such an interval has few
 * samples, it comes once for many rounds; those of the other rounds tell of that part.
 */
#ifndef SCA_DETECT_OTHER_ROUNDS_H
#define SCA_DETECT_OTHER_ROUNDS_H

#include "apportion/sample_pool.h"
#include "apportion/typical_rank.h"
#include "graph/ppg.h"

/* An interval with few samples is given those that as many of the other rounds have: at the places
 * of the code that it has in common with them; for what it takes longer than that, and has no
 * samples of, at the structure around it. visits[]: per interval, of all ranks. site_vertex and
 * intervals of the run are known, the pool is closed and is closed again. SCA_OK or SCA_ENOMEM. */
int sca_other_rounds_imagine(const struct sca_ppg *ppg, const struct sca_ppg_run *run,
                             const double *visits, const struct sca_typical *typical,
                             struct sca_pool *pool);

#endif
