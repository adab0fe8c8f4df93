/*
 * The critical path of a run's replays, by rank and interval, and what it has of each vertex: a
 * profile, and beside it the mean of all ranks, which it would be if the run were balanced (Boehme
 * et al., "Scalable critical-path based performance analysis", IPDPS 2012). Seconds of the run.
 */
#ifndef SCA_DETECT_PATH_PROFILE_H
#define SCA_DETECT_PATH_PROFILE_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "price/stage.h"

#include <stdint.h>
#include <stddef.h>

struct sca_path_cell {       /* what a rank has on the path in one interval */
    uint32_t rank, interval; /* SCA_NONE: no interval of the run is known for it */
    double seconds;          /* of computation, */
    double transfer;         /* and inside the call at which the interval begins */
};

struct sca_path_profile {
    uint32_t ncells;
    struct sca_path_cell *cells; /* by rank */
    double *mean;                /* per vertex: what ranks take of it on average, path or not, */
    double *critical;            /* and what of it is on the path; both without what is below */
};

/* The replays stand as they are meant. Every process of the team calls it. */
void sca_path_profile_make(struct sca_workspace *space, const struct sca_stage *stage,
                           struct sca_path_profile *out);

/* Vertices first ... first + height - 1, in steps of `stride` doubles. */
struct sca_path_column {
    uint32_t first, height;
    double *values;
    size_t stride;
};

/* Adds a cell's seconds to those of its vertices that are in the column; what no vertex is known
 * for belongs to vertex 0. */
void sca_path_profile_divide(const struct sca_ppg_run *run, const struct sca_path_cell *cell,
                             const struct sca_path_column *out);

#endif
