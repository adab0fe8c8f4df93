/*
 * Findings from abnormal vertices: the deepest that carry what is too much, one for each place in
 * the source. Owned by the workspace.
 */
#ifndef SCA_DETECT_ABNORMAL_FINDINGS_H
#define SCA_DETECT_ABNORMAL_FINDINGS_H

#include "findings/ledger.h"
#include "imbalance/abnormal.h"

/* From the abnormal vertices of the last of the runs, the largest. */
void sca_abnormal_findings_add(struct sca_workspace *space, const struct sca_measure *runs,
                               uint32_t nruns, const uint32_t *ends,
                               const struct sca_abnormals *abnormals, struct sca_ledger *out);

/* What the ranks say of cores, and of how they differ. */
void sca_abnormal_findings_add_evidence(struct sca_workspace *space, const struct sca_abnormal *a,
                                        struct sca_finding *draft);

#endif
