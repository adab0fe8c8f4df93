/*
 * Which threads of the largest run hand locks over to which, for the report.
 */
#ifndef SCA_DETECT_REPORT_CONTENTION_H
#define SCA_DETECT_REPORT_CONTENTION_H

#include "verdict/analysis.h"

/* Without memory it jumps. */
void sca_contention_fill(struct sca_analysis *c);

#endif
