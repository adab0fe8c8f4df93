/*
 * All backtracking paths (SC'20, Algorithm 1, figures 8 and 12): one from each rank that waits
 * longest in a call that does not scale or is waited in, then one from each abnormal place that no
 * path has come through. Along the waits of the replay, to the computation that made the last rank
 * late. Owned by the workspace.
 */
#ifndef SCA_DETECT_ALL_PATHS_H
#define SCA_DETECT_ALL_PATHS_H

#include "explain/chain_walk.h"
#include "imbalance/abnormal.h"

enum sca_path_start { SCA_PATH_NONSCALABLE, SCA_PATH_WAITING, SCA_PATH_ABNORMAL };

struct sca_path {
    enum sca_path_start start; /* what its first vertex is */
    double waited;             /* seconds of the wait that it begins with; 0: of none */
    struct sca_chain chain;
};

struct sca_paths {
    uint32_t count, left_out; /* left out: calls and places that there was no room for */
    struct sca_path *items;
};

struct sca_path_wish {
    double least;            /* core-seconds: calls in which all ranks wait less are no start */
    const bool *nonscalable; /* per vertex */
    const struct sca_abnormals *abnormals;
    double ratio; /* AbnormThd: what is nearer to the median is no start */
};

/* Replays must have run as measured. Every process of the team calls it. */
void sca_all_paths_find(struct sca_workspace *space, const struct sca_stage *stage,
                        const struct sca_path_wish *wish, struct sca_paths *out);

/* "nonscalable", "waiting", "abnormal" */
const char *sca_all_paths_start(enum sca_path_start start);

#endif
