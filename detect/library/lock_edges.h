/*
 * Edges of locks: from the context that had one to the context where threads of the same location
 * waited for it, thread by thread and lock by lock where these are known. By malloc.
 */
#ifndef SCA_DETECT_LOCK_EDGES_H
#define SCA_DETECT_LOCK_EDGES_H

#include "graph/ppg.h"
#include "scalana/graph.h"

struct sca_lock_edges {
    uint32_t n, next;
    struct scalana_edge *of;
};

/* To the locations first ... last - 1, by location. SCA_ENOMEM. */
int sca_lock_edges_find(const struct sca_ppg_run *run, uint32_t first, uint32_t last,
                        struct sca_lock_edges *out);
/* False: there is none left. */
bool sca_lock_edges_next(struct sca_lock_edges *edges, struct scalana_edge *out);

#endif
