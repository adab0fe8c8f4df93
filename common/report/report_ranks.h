/*
 * Which vertices of a report are written with the seconds of each rank. All of them while the
 * numbers are few; of large runs those that the findings speak of, then the heaviest, as far as
 * there is room: a report stays some megabytes however many ranks there are.
 */
#ifndef SCA_REPORT_RANKS_H
#define SCA_REPORT_RANKS_H

#include "sca_report.h"

/* sca_report_ranks_choose() for the values of metrics, of which there are many per vertex. */
bool *sca_report_ranks_choose_metrics(const struct sca_report *report);

#endif
