/*
 * Where each rank of the largest run was bound: into the report.
 */
#ifndef SCA_DETECT_REPORT_LOCATIONS_H
#define SCA_DETECT_REPORT_LOCATIONS_H

#include "verdict/analysis.h"

void sca_locations_fill(struct sca_analysis *c);

#endif
