/* The part of the report about locks: who hands them over to whom. */
#ifndef SCA_REPORT_CONTENTION_H
#define SCA_REPORT_CONTENTION_H

#include "report/report_fields.h"

/* Nothing where no thread waits for a lock. */
void sca_report_contention_put(cJSON *root, const struct sca_report *report);
/* Sets in->status as report_fields.h has it; vertices and runs are read before. */
void sca_report_contention_get(struct sca_in *in, const cJSON *root, struct sca_report *report);

#endif
