/*
 * The report's metrics as JSON: written, and read back checked.
 */
#ifndef SCA_REPORT_METRICS_JSON_H
#define SCA_REPORT_METRICS_JSON_H

#include "report/report_fields.h"

/* The field "metrics" of the report's object, if there are any; `number` makes one of its numbers.
 * SCA_ENOMEM. */
int sca_report_metrics_put(cJSON *root, const struct sca_report *report,
                           cJSON *(*number)(double value));

/* Reads it; the runs, vertices and causes are there. */
void sca_report_metrics_get(struct sca_in *in, const cJSON *root);

#endif
