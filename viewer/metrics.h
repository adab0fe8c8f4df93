/*
 * A report's metrics as the viewer asks about them: sums over contexts, values of
 * ranks. Of a ratio every figure is the ratio of two sums. Knows nothing of the screen.
 */
#ifndef SCA_METRICS_H
#define SCA_METRICS_H

#include "lines.h"
#include "sca_report.h"

#define SCA_NO_METRIC UINT32_MAX

/* Over all ranks, of a vertex alone or with all below it; of SCA_NO_VERTEX, the whole program. NAN:
 * the report has no values of it. */
double sca_metric_sum(const struct sca_report *report, uint32_t metric, uint32_t vertex,
                      bool below);
/* The same of each rank of the largest run into `values`, NAN where a ratio has none. Returns of
 * how many vertices no more than the spread over the ranks is known: the values lack these. */
uint32_t sca_metric_ranks(const struct sca_report *report, uint32_t metric, uint32_t vertex,
                          bool below, double *values);
/* The metric's title, or its name. */
const char *sca_metric_title(const struct sca_report *report, uint32_t metric);

/* The metric that the tree and the ranks show, for all vertices. */
struct sca_metric_table {
    uint32_t metric;     /* SCA_NO_METRIC: none is chosen, they show time */
    double *own, *below; /* [vertices] */
    double total;        /* of the program */
};

/* Another one, or none. SCA_ENOMEM; then none is chosen. */
int sca_metric_table_choose(struct sca_metric_table *table, const struct sca_report *report,
                            uint32_t metric);
void sca_metric_table_close(struct sca_metric_table *table);

#endif
