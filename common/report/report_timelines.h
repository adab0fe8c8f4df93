/*
 * The field "timelines" of a report (sca_timelines.h), for common/report/report_read.c and
 * report_write.c alone.
 */
#ifndef SCA_REPORT_TIMELINES_H
#define SCA_REPORT_TIMELINES_H

#include "report/report_fields.h"

/* Nothing where the report's file is not to have them. */
void sca_report_timelines_put(cJSON *root, const struct sca_report *report,
                              cJSON *(*make_number)(double value));
void sca_report_timelines_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
