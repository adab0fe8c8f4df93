/*
 * How rare samples are. A run's first second needs them often, since there may be no second one;
 * what an hour of it is made of, few of each minute tell as well. So they become rarer as they add
 * up, and rarer still above the budget: a sample stands for so many periods, a power of two.
 *
 * Of samples with weights w as many are worth as much as (sum w)^2 / sum w^2 equal ones (Kish,
 * Survey Sampling, 1965): whoever books them adds up the squares.
 *
 * One rate for all threads of the process. All but sca_sampler_rate_lower() from handlers, too.
 */
#ifndef SCA_PROF_SAMPLER_RATE_H
#define SCA_PROF_SAMPLER_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* `steady`: only the budget makes samples rarer. `dear`: a clock is set for each (see
 * sampler_segment.h), so they become rarer sooner. */
void sca_sampler_rate_begin(bool steady, bool dear);
/* What a sample stands for, if it is taken from now on. */
unsigned sca_sampler_rate_periods(void);
/* False: they are as rare as they get. */
bool sca_sampler_rate_lower(void);
/* A sample was taken. True: with it there are enough at this rate. */
bool sca_sampler_rate_count(void);

#endif
