/* The pane of metrics: one line for each, in the order of sca_metrics_order(), below a header. */
#ifndef SCA_METRICS_PANE_H
#define SCA_METRICS_PANE_H

#include "panes.h"
#include "model.h"
#include "sca_report.h"

/* Of a vertex; of SCA_NO_VERTEX, the whole program. */
void sca_metrics_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex);
/* Metrics with their parts after them; free() it. NULL with *n = 0: out of memory. */
uint32_t *sca_metrics_order(const struct sca_report *report, uint32_t *n);

#endif
