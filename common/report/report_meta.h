/*
 * The field "meta" of a report's run, for common/report/report_read.c and report_write.c alone.
 */
#ifndef SCA_REPORT_META_H
#define SCA_REPORT_META_H

#include "report/report_fields.h"

void sca_report_meta_put(cJSON *run, const struct sca_report_run *from);
void sca_report_meta_get(struct sca_in *in, const cJSON *run, struct sca_report_run *out);

#endif
