/*
 * The field "series" of a report, for common/report/report_read.c and report_write.c alone.
 */
#ifndef SCA_REPORT_SERIES_H
#define SCA_REPORT_SERIES_H

#include "report/report_fields.h"

/* Names of the columns of points, in the file. */
extern const char *const sca_report_series_columns[SCA_REPORT_SERIES_COLUMNS];

void sca_report_series_put(cJSON *root, const struct sca_report *report,
                           cJSON *(*make_number)(double value));
void sca_report_series_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
