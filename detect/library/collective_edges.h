/*
 * Collective edges: what each location took part in, by call, communicator and root.
 */
#ifndef SCA_LIBRARY_COLLECTIVE_EDGES_H
#define SCA_LIBRARY_COLLECTIVE_EDGES_H

#include "graph/ppg.h"
#include "scalana/graph.h"

struct sca_collective_edges { /* a walk: locations `next` to `last` - 1 are still to come */
    const struct sca_ppg_run *run;
    struct sca_opened *opened; /* the walk's own while it goes on */
    uint32_t next, last;
    const struct sca_rank *rank; /* the one before `next`; NULL: none yet */
    uint32_t row;                /* its next one */
};

/* The next edge; false: there is none left. */
bool sca_collective_edges_next(struct sca_collective_edges *walk, struct scalana_edge *out);

#endif
