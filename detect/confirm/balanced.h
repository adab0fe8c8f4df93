/*
 * Work that some ranks do while the others do other work that takes as long: two teams with a model
 * each, ranks with more particles and fewer cells. Compared by that work alone these ranks have
 * more than the others; nobody waits for it, and there is nothing to mend. So it is with work that
 * each rank has a turn of, where the others need not wait meanwhile.
 */
#ifndef SCA_DETECT_BALANCED_H
#define SCA_DETECT_BALANCED_H

#include "findings/finding.h"

/* Whether an imbalance is none. `cost`: what others wait because of it, core-seconds; `threshold`:
 * the ratio from which a rank has more than others. */
bool sca_balanced_is(struct sca_workspace *space, const struct sca_measure *m, const uint32_t *ends,
                     double threshold, const struct sca_finding *finding, double cost);

#endif
