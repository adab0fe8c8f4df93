/*
 * Stalls: a rank that was off its core for long, all at once, in no other run. It was stopped by a
 * signal, or the system kept it, or it waited for a disk that one time; no line of the program can
 * be blamed for that on such evidence, though the others waited for it. What sleeps or reads again
 * and again, or in a second run too, is the program's own doing and may be a cause.
 */
#ifndef SCA_DETECT_OFF_CPU_STALL_H
#define SCA_DETECT_OFF_CPU_STALL_H

#include "findings/finding.h"

/* Whether most of the finding's excess is time off the core (interval_findings.h measures it,
 * samples cannot), and most of that in one instance. Its ranks' seconds off the core go to
 * *seconds. */
bool sca_off_cpu_stall_is(const struct sca_measure *m, const uint32_t *ends,
                          const struct sca_finding *finding, double *seconds);

#endif
