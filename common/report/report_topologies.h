/*
 * The fields "topologies" and "locations" of a report, for common/report/report_read.c and
 * report_write.c alone.
 */
#ifndef SCA_REPORT_TOPOLOGIES_H
#define SCA_REPORT_TOPOLOGIES_H

#include "report/report_fields.h"

/* Makes a string that any reader takes. */
typedef cJSON *sca_report_topologies_text(const char *text);

void sca_report_topologies_put(cJSON *root, const struct sca_report *report,
                               sca_report_topologies_text *text);
/* After the runs, whose largest they are of. */
void sca_report_topologies_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
