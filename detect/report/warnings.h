/*
 * What a reader must know before the verdict: runs that differ in more than their number of ranks,
 * and work that the user told and that cannot be meant.
 */
#ifndef SCA_DETECT_WARNINGS_H
#define SCA_DETECT_WARNINGS_H

#include "verdict/analysis.h"

/* report->warnings. The report's runs must be filled. */
void sca_warnings_fill(struct sca_analysis *c);

/* Whether two of the runs are known to have been started with different arguments. */
bool sca_warnings_other_arguments(const struct sca_report *report);

#endif
