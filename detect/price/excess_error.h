/*
 * How far the excess that a finding takes away may be off: the standard error of what its ranks
 * have beyond the others, as a part of it. Three things scatter:
 *   - samples, which divide exact seconds over places (binomial; measure.h, `noise`),
 *   - ranks that do the same: each named rank's own part, and the median of the others that it is
 *     compared with, differ by that (dispersion.h),
 *   - the measurement of the intervals themselves.
 * By the delta method: variances of independent parts add up. What moves from rank to rank is told
 * by instances, and none of this says anything of it.
 */
#ifndef SCA_DETECT_EXCESS_ERROR_H
#define SCA_DETECT_EXCESS_ERROR_H

#include "findings/finding.h"

/* 0 of what rotates, grows or exchanges more. Keeps none of the workspace. */
double sca_excess_error(struct sca_workspace *space, const struct sca_measure *m,
                        const uint32_t *ends, const struct sca_finding *finding);

#endif
