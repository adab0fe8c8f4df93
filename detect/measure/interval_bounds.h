/*
 * What ranks compute on the way from the calls of one vertex to those of another: exact, whatever
 * samples say of the lines in it. Results live in the workspace (workspace.h); seconds.
 */
#ifndef SCA_DETECT_INTERVAL_BOUNDS_H
#define SCA_DETECT_INTERVAL_BOUNDS_H

#include "measure/measure.h"

/* `after` SCA_NONE: since MPI_Init; `before` SCA_NONE: to whichever call comes next. */
struct sca_interval_bounds {
    uint32_t after, before;
};

/* Whether the interval between two sites of the run lies on it; `site` may be SCA_NONE, any. */
bool sca_interval_bounds_has(const struct sca_ppg_run *run,
                             const struct sca_interval_bounds *bounds, uint32_t previous,
                             uint32_t site);

/* Marks the run's intervals (intervals.h) on it. */
bool *sca_interval_bounds_mark(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds);

struct sca_interval_bounds_times {
    double *seconds, *variance, *count; /* by rank */
};

/* Adds up per rank what lies on the way. */
void sca_interval_bounds_add(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_interval_bounds *bounds,
                             const struct sca_interval_sums *to);

struct sca_interval_bounds_times
sca_interval_bounds_measure(struct sca_workspace *space, const struct sca_measure *m,
                            const struct sca_interval_bounds *bounds);

/* Ranks that come there more or less often, or never, do the same work between other calls: they
 * say nothing, and are given the others' median. False if only half of the ranks can be compared.
 */
bool sca_interval_bounds_compare(struct sca_workspace *space, const struct sca_measure *m,
                                 struct sca_interval_bounds_times *of);

#endif
