/*
 * The series of the largest run, and the phases that the program names, in the report.
 */
#ifndef SCA_DETECT_REPORT_SERIES_H
#define SCA_DETECT_REPORT_SERIES_H

#include "verdict/analysis.h"

/* Where only the text is wanted, phases alone: it has no series. */
void sca_series_fill(struct sca_analysis *c);

#endif
