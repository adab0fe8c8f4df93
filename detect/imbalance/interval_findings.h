/*
 * Intervals between two MPI calls that some ranks take longer for, where samples do not tell which
 * line it is: too few were taken, or none could be, off the core. The times of intervals are exact,
 * so that much can be said for certain: between which calls, and in which structure around both.
 */
#ifndef SCA_DETECT_INTERVAL_FINDINGS_H
#define SCA_DETECT_INTERVAL_FINDINGS_H

#include "findings/ledger.h"
#include "imbalance/abnormal.h"

/* Of the last run: adds findings of at least `least` core-seconds (all ranks waiting for the
 * slowest) that those found so far do not explain; where no rank stands out, those that save
 * `least_uneven` when the work is shared out evenly (skew.h). A finding that is named for a
 * loop around MPI calls becomes one of an interval if most of its excess lies in that. */
void sca_interval_findings_add(struct sca_workspace *space, const struct sca_measure *runs,
                               uint32_t nruns, const uint32_t *ends, double threshold, double least,
                               double least_uneven, struct sca_ledger *out);

/* The same for what lies between MPI_Init and the first call, when rotating causes are known: one
 * of them is on some rank in the first step, too. */
void sca_interval_findings_add_start(struct sca_workspace *space, const struct sca_measure *m,
                                     const uint32_t *ends, double threshold, double least,
                                     struct sca_ledger *out);

/* Whether some ranks take longer on that way between two calls. */
int sca_interval_findings_judge(struct sca_workspace *space, const struct sca_measure *m,
                                const struct sca_interval_bounds *bounds, double threshold,
                                struct sca_abnormal *out);

#endif
