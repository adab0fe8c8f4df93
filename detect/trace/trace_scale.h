/*
 * By how much a walk (trace_synthesis.h) is shorter than the run it stands for.
 *
 * A loop inside another goes round so many times in each round of that one, and ranks meet in that
 * order. Counts divided by 1.97 would leave out a round of the inner loop now and then, where
 * another rank does not. So a walk is shortened by whole rounds of the loop that most calls are in:
 * of a solver's 15 steps it makes 7, each with all that belongs to it.
 */
#ifndef SCA_DETECT_TRACE_SCALE_H
#define SCA_DETECT_TRACE_SCALE_H

#include "base/workspace.h"

/* At least 1. `opened` is used; memory is taken for the duration of the call. */
double sca_trace_scale_factor(struct sca_workspace *space, const struct sca_profile *profile,
                              struct sca_opened *opened);
/* How often a walk shorter by the factor goes where the run went `count` times, rounded down. */
uint64_t sca_trace_scale_count(uint64_t count, double factor);

#endif
