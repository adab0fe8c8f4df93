/*
 * What ranks compute on the way from the calls of one vertex to those of another: exact, whatever
 * samples say of the lines in it. Results live in the room (scratch.h); seconds.
 */
#ifndef SCA_DETECT_VERTEX_INTERVAL_H
#define SCA_DETECT_VERTEX_INTERVAL_H

#include "measure/measure.h"

/* `after` SCA_NONE: since MPI_Init; `before` SCA_NONE: to whichever call comes next. */
struct sca_way {
    uint32_t after, before;
};

/* Whether the interval between two sites of the run lies on it; `site` may be SCA_NONE, any. */
bool sca_way_has(const struct sca_ppg_run *run, const struct sca_way *way, uint32_t previous,
                 uint32_t site);

/* Marks the run's gaps (intervals.h) on it. */
bool *sca_way_gaps(struct sca_room *room, const struct sca_measure *m, const struct sca_way *way);

struct sca_way_times {
    double *seconds, *variance, *count; /* by rank */
};

/* Adds up per rank what lies on the way. */
void sca_way_add(struct sca_room *room, const struct sca_measure *m, const struct sca_way *way,
                 const struct sca_interval_sums *to);

struct sca_way_times sca_way_measure(struct sca_room *room, const struct sca_measure *m,
                                     const struct sca_way *way);

/* Ranks that come there more or less often, or never, do the same work between other calls: they
 * say nothing, and are given the others' median. False if only half of the ranks can be compared.
 */
bool sca_way_compare(struct sca_room *room, const struct sca_measure *m, struct sca_way_times *of);

#endif
