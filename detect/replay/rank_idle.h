/*
 * When a rank waits: while its first thread does, and no other of its threads computes. A rank
 * whose first thread waits for another of its own loses nothing by that, and what such a thread
 * waits is lost only as far as the first one waits for it. Then that is where it is lost, as in the
 * MPI calls of a thread that the first one joins.
 */
#ifndef SCA_DETECT_RANK_IDLE_H
#define SCA_DETECT_RANK_IDLE_H

#include "replay/replay.h"

struct sca_rank_idle {
    double sum;     /* seconds of all ranks */
    double *of;     /* per event: of its wait; NULL: all of it, for each rank has one thread */
    double *beside; /* per rank: what threads computed while another one did; NULL likewise */
};

/* Of a replay that has run; in the workspace. */
struct sca_rank_idle sca_rank_idle_find(struct sca_workspace *space,
                                        const struct sca_replay *replay);

#endif
