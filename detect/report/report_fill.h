/* From a finished analysis to the report that is written (sca_report.h). */
#ifndef SCA_DETECT_REPORT_FILL_H
#define SCA_DETECT_REPORT_FILL_H

#include "verdict/analysis.h"

/* Jumps out of the case's room if the report runs out of memory. */
void sca_report_fill(struct sca_case *c);
/* Relative difference of a run's computation from the median of those on as many ranks. */
double sca_deviation(struct sca_case *c, uint32_t run);
/* Memory of the report, never NULL. */
void *sca_report_take(struct sca_case *c, size_t count, size_t size);

#endif
