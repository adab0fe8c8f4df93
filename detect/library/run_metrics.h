/*
 * The metrics of a run's graph, and which run is meant.
 */
#ifndef SCA_LIBRARY_RUN_METRICS_H
#define SCA_LIBRARY_RUN_METRICS_H

#include "library/handles.h"

/* A run by its number. SCA_EINVAL: no runs, or no such one. */
int sca_run_metrics_take_run(const scalana_runs *runs, uint32_t run,
                             const struct sca_ppg_run **out);

/* How many metrics a run has. */
uint32_t sca_run_metrics_count(const struct sca_ppg_run *run);

/* Is it one of them? SCA_EINVAL. */
int sca_run_metrics_check(const struct sca_ppg_run *run, uint32_t metric);

#endif
