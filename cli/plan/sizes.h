/*
 * Numbers of ranks to run on.
 */
#ifndef SCA_CLI_SIZES_H
#define SCA_CLI_SIZES_H

#include "plan/settings.h"

/* If none were given: the largest power of two up to `slots`, its half and its quarter. One slot
 * gives 1 and 2, for one size shows no scaling. */
void sca_sizes_choose(struct sca_run_settings *settings, unsigned slots);
unsigned sca_sizes_largest(const struct sca_run_settings *settings);

/* The most threads of a rank that were asked for; `otherwise` where nobody did. */
unsigned sca_sizes_threads(const struct sca_run_settings *settings, unsigned otherwise);

#endif
