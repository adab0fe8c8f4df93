/*
 * One metric's values, contexts x ranks: own or with all below; also of ratios.
 */
#ifndef SCA_DETECT_METRIC_VALUES_H
#define SCA_DETECT_METRIC_VALUES_H

#include "metrics/metric_block.h"

struct sca_metric_range {
    uint32_t first, height, left, width; /* as in struct sca_metric_block */
};

/* values[c * width + r]; NAN for a ratio to nothing. `ends`: sca_ppg_ends(); the metric is not
 * absent. With `inclusive`, memory is taken for what is below the range too. SCA_ENOMEM. */
int sca_metric_values(const struct sca_metric_source *source, const uint32_t *ends,
                      const struct scalana_metric *metric, bool inclusive,
                      const struct sca_metric_range *range, double *values);

/* Adds what is below each vertex of the range, as far as the range has it. */
void sca_metric_values_add_up(const struct sca_ppg *ppg, const struct sca_metric_range *range,
                              double *values);

#endif
