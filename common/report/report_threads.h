/* The part of the report about threads: what each computed in a calling context. */
#ifndef SCA_REPORT_THREADS_FIELDS_H
#define SCA_REPORT_THREADS_FIELDS_H

#include "report/report_fields.h"

/* Nothing where ranks have one thread each. */
void sca_report_threads_put(cJSON *root, const struct sca_report *report);
/* Sets in->status as report_fields.h has it; vertices and runs are read before. */
void sca_report_threads_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
