/*
 * Instances of an interval (between two calls) that some rank takes long for, beside the other
 * ranks in the same instance: all that recorded windows, those of all processes, show of them.
 * Results live in the workspace.
 */
#ifndef SCA_DETECT_LONG_INSTANCES_H
#define SCA_DETECT_LONG_INSTANCES_H

#include "trace/replay_trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Each window counts as often as it stands for steps; seconds. */
struct sca_long_sums {
    double seconds, median;                 /* of long instances, and what is usual in them */
    double loss;                            /* core-seconds that all ranks wait for the longest */
    double rows, long_rows;                 /* instances, and those where some rank took long */
    double shown;                           /* of the first so many in windows, each once */
    double members, long_members;           /* of the latter: ranks, and those who took long */
    double saved_equalised, saved_smoothed; /* what the slowest of each instance would save */
};

struct sca_long_instances {
    struct sca_workspace *space;
    const struct sca_traces *traces;
    uint32_t nranks;
    double **interval;        /* per trace of this process, by event: seconds before the call, as
                                 windows show them, */
    double **adds_up;         /* and as they add up to what each rank takes in the run */
    double *excess;           /* per rank: seconds of long instances beyond the usual */
    double *times;            /* per rank: long instances shown */
    double *late;             /* per rank: seconds of all instances beyond the usual, less what
                                 they are below it, by what adds up */
    struct sca_long_sums sum; /* of the interval that was counted last, as those two */
};

/* The traces must outlive it. */
struct sca_long_instances sca_long_instances_open(struct sca_workspace *space,
                                                  const struct sca_traces *traces, uint32_t nranks);

/* `limit`: the ratio to the ranks' median from which an instance is long. `late`: instead of that,
 * by how much they are in each half of a window
 * (window_levels.h); or NULL. */
void sca_long_instances_count(struct sca_long_instances *of, uint32_t previous, uint32_t site,
                              double limit, const double *late);

/* Whether an instance of so many seconds is one that others wait for. */
bool sca_long_instances_is(double seconds, double median, double limit);

#endif
