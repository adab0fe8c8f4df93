/*
 * Whether another run's exact times bear out a line that samples found in the last one. A second
 * run may have too few samples to prove a line abnormal; what its ranks took between the two calls
 * that the line lies between is exact whatever was sampled.
 */
#ifndef SCA_DETECT_BORNE_OUT_H
#define SCA_DETECT_BORNE_OUT_H

#include "findings/finding.h"
#include "imbalance/abnormal.h"

/* The way between two calls that holds most of the finding's excess in that run, if most of what
 * its ranks are late by there is the finding's. */
bool sca_borne_out_bounds_of_line(struct sca_workspace *space, const struct sca_measure *m,
                                  const uint32_t *ends, const struct sca_finding *finding,
                                  struct sca_interval_bounds *out);

/* Whether ranks of another run take longer on that way, and most of it for those lines as far as
 * samples tell: *out says which ranks and by how much. */
bool sca_borne_out_is(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ends, const struct sca_interval_bounds *bounds,
                      const struct sca_finding *finding, double threshold,
                      struct sca_abnormal *out);

/* The same of all that is computed around the finding's code, between whichever calls: for what
 * lies on many ways. */
bool sca_borne_out_is_around(struct sca_workspace *space, const struct sca_measure *m,
                             const uint32_t *ends, const struct sca_finding *finding,
                             double threshold, struct sca_abnormal *out);

#endif
