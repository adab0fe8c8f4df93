/*
 * The threads of a run: those that samples fell on. They have what samples have: their number, the
 * CPU time that they stand for, and hardware counters.
 */
#ifndef SCA_DETECT_METRIC_THREADS_H
#define SCA_DETECT_METRIC_THREADS_H

#include "base/workspace.h"
#include "metrics/metric_block.h"

struct sca_threads {
    uint32_t n;              /* at least 1: the first of each rank */
    const uint16_t *numbers; /* as the runtime gave them, rising; the first is 0 */
};

/* Of all ranks, in the workspace; out of memory, it jumps. */
void sca_threads_find(struct sca_workspace *space, const struct sca_profile *profile,
                      struct sca_threads *out);

/* Which of them a number is, below n. */
uint32_t sca_threads_row(const struct sca_threads *threads, uint16_t number);

/* The same metrics, of one thread of each rank alone: what is no sample's is 0. */
struct sca_metric_source sca_threads_source(const struct sca_metric_source *all, uint16_t number);

#endif
