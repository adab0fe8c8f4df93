/*
 * The sums of a look: seconds of contexts and ranks, efficiencies as POP defines them (parallel
 * efficiency is load balance times communication efficiency), and the iterations of the main loop.
 */
#ifndef SCA_TOTALS_H
#define SCA_TOTALS_H

#include "look/seen.h"

/* Of a look whose rows are read. */
int sca_totals_fill(struct sca_look *look);

/* Of seconds that each rank computed, out of `wall_s`. */
struct sca_efficiency sca_totals_efficiency(const double *compute_s, uint32_t n, double wall_s);

#endif
