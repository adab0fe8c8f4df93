/*
 * The report's metrics: every context's and rank's, as far as there is room, else how they are
 * spread over the ranks.
 */
#ifndef SCA_DETECT_FILL_METRICS_H
#define SCA_DETECT_FILL_METRICS_H

#include "verdict/analysis.h"

/* Of the largest run; causes and vertices are filled. Jumps out of the analysis' workspace if the
 * report runs out of memory. */
void sca_fill_metrics(struct sca_analysis *c);

#endif
