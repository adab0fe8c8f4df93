/*
 * What became of the events the user asked for with SCALANA_EVENTS, and what brought the
 * samples, in words. Buffers have
 * SCA_PHRASE bytes; "" where there is nothing to say.
 */
#ifndef SCA_DETECT_COUNTERS_H
#define SCA_DETECT_COUNTERS_H

#include "sca_profile.h"

/* Which could not be counted, and why. */
const char *sca_counters_absent(char *buffer, const struct sca_profile *profile);
/* That the counts are estimates: there were more events than counters. */
const char *sca_counters_estimated(char *buffer, const struct sca_profile *profile);

/* That samples came from a timer, and why: on busy cores its ticks keep step with the work. */
const char *sca_counters_timer(char *buffer, const struct sca_profile *profile);

#endif
