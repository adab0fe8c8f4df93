/*
 * The field "communication" of a report, for common/report/report_read.c and report_write.c alone.
 */
#ifndef SCA_REPORT_COMMUNICATION_H
#define SCA_REPORT_COMMUNICATION_H

#include "report/report_fields.h"

void sca_report_communication_put(cJSON *root, const struct sca_report *report);
void sca_report_communication_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
