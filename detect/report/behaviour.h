/*
 * Ranks of the largest run by behaviour, for the report, and for the page a drawing of what they
 * do.
 */
#ifndef SCA_DETECT_REPORT_BEHAVIOUR_H
#define SCA_DETECT_REPORT_BEHAVIOUR_H

#include "verdict/analysis.h"

/* Without memory it jumps. */
void sca_behaviour_fill(struct sca_analysis *c);

#endif
