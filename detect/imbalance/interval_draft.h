/*
 * Drafts of findings that are known by what lies between two calls.
 */
#ifndef SCA_DETECT_INTERVAL_DRAFT_H
#define SCA_DETECT_INTERVAL_DRAFT_H

#include "imbalance/interval_line.h"

/* All that lies in the interval, equalised on the ranks of `a`. `before`: the vertex of the call
 * that comes after most of it. Its place is the line of what is on the core there, or that of the
 * other runs' samples, or the structure around both calls. */
struct sca_finding sca_interval_draft(const struct sca_line_search *search,
                                      const struct sca_measure *others, uint32_t nothers,
                                      const struct sca_interval_bounds *bounds, uint32_t before,
                                      const struct sca_abnormal *a);

/* The same of what is not looked into any further: at the structure around both, and not equalised.
 */
struct sca_finding sca_interval_draft_unplaced(struct sca_workspace *space,
                                               const struct sca_measure *m,
                                               const struct sca_interval_bounds *bounds,
                                               uint32_t before, const struct sca_abnormal *a);

#endif
