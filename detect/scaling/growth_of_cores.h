/*
 * What of a growth may be the doing of cores that ranks share, or of samples: all that they compute
 * takes longer then, caches are shared with the cores, threads wait for them or take turns.
 * `factor`: so many times as much as in the smallest run it should be in the largest, over all
 * ranks.
 */
#ifndef SCA_DETECT_GROWTH_OF_CORES_H
#define SCA_DETECT_GROWTH_OF_CORES_H

#include "scaling/growth_totals.h"

/* What it would lose if all around it, lines that scale and lines that do not, were as much slower
 * as the whole is; core-seconds. `expected`: what it should take. */
double sca_growth_of_cores_loss(const struct sca_growth_search *search, uint32_t v, double factor,
                                double expected);
/* Whether a loss of so many core-seconds is not shown by exact times around it, not by runs that
 * share cores alike, or may be threads that wait for cores or take turns at work. */
bool sca_growth_of_cores_may_be(const struct sca_growth_search *search, uint32_t v, double factor,
                                double expected_slope, double loss);

#endif
