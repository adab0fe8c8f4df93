/* The report's tables beside the causes: non-scalable vertices with their models, wait states. */
#ifndef SCA_DETECT_FILL_MODELS_H
#define SCA_DETECT_FILL_MODELS_H

#include "verdict/analysis.h"

/* Work that is told goes with the ranks to that power: 0 where nobody tells it. */
double sca_work_exponent(const struct sca_case *c);

/* Jump out of the case's room if the report runs out of memory. */
void sca_models_fill(struct sca_case *c);
void sca_waits_fill(struct sca_case *c);

#endif
