/*
 * The field "topology" of a report's run, for common/report/report_read.c and report_write.c alone.
 */
#ifndef SCA_REPORT_TOPOLOGY_H
#define SCA_REPORT_TOPOLOGY_H

#include "report/report_fields.h"

void sca_report_topology_put(cJSON *run, const struct sca_report_topology *topology);
void sca_report_topology_get(struct sca_in *in, const cJSON *run, struct sca_report_run *out);

#endif
