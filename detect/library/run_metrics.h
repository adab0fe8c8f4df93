/*
 * The metrics of a run's graph, and which run is meant.
 */
#ifndef SCA_LIBRARY_RUN_METRICS_H
#define SCA_LIBRARY_RUN_METRICS_H

#include "library/handles.h"
#include "metrics/metric_values.h"

/* A run by its number. SCA_EINVAL: no runs, or no such one. */
int sca_run_metrics_take_run(const scalana_runs *runs, uint32_t run,
                             const struct sca_ppg_run **out);

/* How many metrics a run has, of the runs' handle. */
uint32_t sca_run_metrics_count(const scalana_runs *runs, uint32_t run);

/* One of them that has values. SCA_EINVAL: no such metric; SCA_ENOTFOUND: it has none, and why. */
int sca_run_metrics_get(const scalana_runs *runs, uint32_t run, uint32_t metric,
                        const struct scalana_metric **out);

/* Whether a run has such a block of contexts and locations, and whether there is `out` for it. */
int sca_run_metrics_check(const scalana_runs *runs, const struct sca_ppg_run *run,
                          const struct sca_metric_range *range, const double *out);

/* Makes the runs' catalogues, when they are loaded or the largest one was replayed. */
void sca_run_metrics_make(struct scalana_runs *runs);

#endif
