/*
 * The fields "rank_classes", "left_class" and "advice" of a report, for common/report/report_read.c
 * and report_write.c alone.
 */
#ifndef SCA_REPORT_BEHAVIOUR_H
#define SCA_REPORT_BEHAVIOUR_H

#include "report/report_fields.h"

void sca_report_behaviour_put(cJSON *root, const struct sca_report *report,
                              cJSON *(*make_number)(double value),
                              cJSON *(*make_string)(const char *text));
/* After runs and vertices. */
void sca_report_behaviour_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
