/*
 * A place that another finding tells better: most of what its ranks have too much there lies in the
 * other's place, further inside.
 */
#ifndef SCA_DETECT_TOLD_INSIDE_H
#define SCA_DETECT_TOLD_INSIDE_H

#include "findings/ledger.h"
#include "measure/measure.h"

/* Closes such open findings as explained by the other. Intervals are no matter here: they are asked
 * as they are found (imbalance/interval_known.h). `ends`: per vertex, the first behind those below.
 */
void sca_told_inside_close(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, struct sca_ledger *ledger);

#endif
