/*
 * Findings from abnormal vertices: the deepest that carry what is too much, one for each place in
 * the source. Owned by the workspace.
 */
#ifndef SCA_DETECT_ABNORMAL_FINDINGS_H
#define SCA_DETECT_ABNORMAL_FINDINGS_H

#include "findings/finding.h"
#include "imbalance/abnormal.h"

/* From the abnormal vertices of the last of the runs, the largest. */
void sca_abnormal_findings_add(struct sca_workspace *space, const struct sca_measure *runs,
                               uint32_t nruns, const uint32_t *ends,
                               const struct sca_abnormals *abnormals, double threshold,
                               struct sca_findings *out);

#endif
