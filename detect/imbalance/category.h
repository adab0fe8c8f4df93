/*
 * What kind of cause a finding is whose ranks compute more than the others: an imbalance, or a
 * serial section that the others wait for with nothing to do.
 */
#ifndef SCA_DETECT_CATEGORY_H
#define SCA_DETECT_CATEGORY_H

#include "findings/finding.h"

/* Its vertices, ranks and ratio are known. */
enum sca_category sca_category_of(struct sca_workspace *space, const struct sca_measure *m,
                                  const uint32_t *ends, const struct sca_finding *finding);

#endif
