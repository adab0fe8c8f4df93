/*
 * Memory that lives as long as the report.
 */
#ifndef SCA_DETECT_REPORT_MEMORY_H
#define SCA_DETECT_REPORT_MEMORY_H

#include "verdict/analysis.h"

/* Memory of the report, never NULL. */
void *sca_report_memory_take(struct sca_analysis *c, size_t count, size_t size);

#endif
