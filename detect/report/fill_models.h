/* The report's tables beside the causes: non-scalable vertices with their models, wait states. */
#ifndef SCA_DETECT_FILL_MODELS_H
#define SCA_DETECT_FILL_MODELS_H

#include "verdict/analysis.h"

/* Work that is told goes with the ranks to that power: 0 where nobody tells it. */
double sca_fill_models_work_exponent(const struct sca_analysis *c);

/* Jump out of the analysis' workspace if the report runs out of memory. */
void sca_fill_models(struct sca_analysis *c);
void sca_fill_models_waits(struct sca_analysis *c);

#endif
