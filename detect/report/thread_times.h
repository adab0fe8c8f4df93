/*
 * What threads of the largest run computed in each calling context, for the report.
 */
#ifndef SCA_DETECT_REPORT_THREAD_TIMES_H
#define SCA_DETECT_REPORT_THREAD_TIMES_H

#include "verdict/analysis.h"

/* After the report's locations and metrics, of which it takes the contexts that compute most.
 * Nothing where ranks have one thread each. Without memory it jumps. */
void sca_thread_times_fill(struct sca_analysis *c);

#endif
