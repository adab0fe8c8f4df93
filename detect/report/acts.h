/*
 * When a cause acts, by the run's series (series/patterns.h): "every 16th iteration", "from
 * iteration 512 on (second 41.0)", "in loop 2 of 2 (second 4.01 to 9.01)". The series has ranks, no
 * places: so only where what the cause's ranks take longer by, over all iterations, is what the
 * cause has too much of, and one pattern alone describes it, outside of which there is next to
 * nothing, or none does, and it is in one of several loops. Else nothing is said.
 */
#ifndef SCA_DETECT_ACTS_H
#define SCA_DETECT_ACTS_H

#include "series/patterns.h"
#include "verdict/analysis.h"

/* "": not known. */
const char *sca_acts_of(const struct sca_analysis *c, const struct sca_finding *cause,
                        char words[SCA_PATTERN_WORDS]);

#endif
