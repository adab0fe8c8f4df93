/*
 * What of each interval and each place is on the critical path where ranks take the same for the
 * same (equal_ranks.h), beside what the ranks have of it. Owned by the workspace; seconds.
 */
#ifndef SCA_DETECT_PATH_TIMES_H
#define SCA_DETECT_PATH_TIMES_H

#include "price/stage.h"

struct sca_path_times {
    const struct sca_stage *stage;
    uint32_t nranks, nintervals;
    const bool
        *corresponds; /* per interval: its instances tell of an order; else it has no times */
    double *on;       /* [rank * intervals + interval] on the path */
    double *mean, *critical; /* per vertex, with all below: mean over the ranks; on the path */
};

/* Plays the stage's replays anew, from what they stand at. */
struct sca_path_times sca_path_times_open(struct sca_workspace *space, struct sca_stage *stage);

/* On the path, by rank: of a place with all below. */
double *sca_path_times_of_place(struct sca_workspace *space, const struct sca_path_times *times,
                                uint32_t vertex);

#endif
