/*
 * Values of metrics, contexts x ranks: each context's own, without what is below it.
 */
#ifndef SCA_DETECT_METRIC_BLOCK_H
#define SCA_DETECT_METRIC_BLOCK_H

#include "metrics/metric_catalogue.h"
#include "metrics/replayed.h"

#include <stdbool.h>

struct sca_metric_source {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const struct sca_replayed
        *replayed;        /* NULL: then none of the metrics of a replay is asked for */
    uint32_t only_thread; /* of samples, those of this thread alone, counted from 1; 0: of all */
};

/* values[i][c * width + r] is that of metric ids[i] of vertex first + c on rank left + r. */
struct sca_metric_block {
    uint32_t first, height, left, width;
    uint32_t n;
    const uint32_t *ids; /* none of a ratio, nor one that is absent */
    double *const *values;
    /* NULL, or of each vertex of the graph the c that it has in values; SCA_NONE: it has none. Then
     * vertices[c] is in place of first + c. Not for metrics of the critical path. */
    const uint32_t *rows;
    const uint32_t *vertices;
    /* NULL, or whether row c of metric i was set, at i * height + c, all false before. Rows that
     * have nothing may be left as they are then. */
    bool *set;
};

/* Whether a metric is in the ranks' tables, which takes time to open. */
bool sca_metric_block_opens_ranks(uint32_t id);
/* Whether it is told by samples, which say their thread. */
bool sca_metric_block_of_samples(uint32_t id);

/* Sets all values, but see `set`. Each rank's tables are opened once, whatever the number of
 * metrics. SCA_ENOMEM. */
int sca_metric_block_fill(const struct sca_metric_source *source,
                          const struct sca_metric_block *block);

#endif
