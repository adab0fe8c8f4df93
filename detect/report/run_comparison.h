/*
 * One run beside the others.
 */
#ifndef SCA_DETECT_RUN_COMPARISON_H
#define SCA_DETECT_RUN_COMPARISON_H

#include "verdict/analysis.h"

/* By how much its work is to be multiplied to be that of the largest run, as far as the user told;
 * else 1. */
double sca_run_comparison_work_scale(const struct sca_analysis *c, uint32_t run);
/* Relative difference of a run's computation from the median of those on as many ranks. */
double sca_run_comparison_deviation(struct sca_analysis *c, uint32_t run);

#endif
