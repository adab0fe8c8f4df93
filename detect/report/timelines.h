/*
 * Timelines for the page (sca_timelines.h), from the replays that causes are priced by. After the
 * causes are in the report; the replays stand as measured afterwards.
 */
#ifndef SCA_DETECT_REPORT_TIMELINES_H
#define SCA_DETECT_REPORT_TIMELINES_H

#include "verdict/analysis.h"

/* Nothing where the largest run has no windows of its own, or processes share the analysis. */
void sca_timelines_fill(struct sca_analysis *c);

#endif
