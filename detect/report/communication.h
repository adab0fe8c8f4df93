/*
 * Who sends to whom in the largest run, for the report: by blocks of ranks where there are many.
 */
#ifndef SCA_DETECT_REPORT_COMMUNICATION_H
#define SCA_DETECT_REPORT_COMMUNICATION_H

#include "verdict/analysis.h"

/* Without memory it jumps. */
void sca_communication_fill(struct sca_analysis *c);

#endif
