/* From a finished analysis to the report that is written (sca_report.h). */
#ifndef SCA_DETECT_REPORT_FILL_H
#define SCA_DETECT_REPORT_FILL_H

#include "verdict/analysis.h"

/* Jumps out of the analysis' workspace if the report runs out of memory. */
void sca_report_fill(struct sca_analysis *c);
#endif
