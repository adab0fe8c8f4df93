/*
 * The topologies of a run: every Cartesian and graph communicator that two ranks or more have a
 * place in. Communicators with the same places (duplicates) are told once. Those of most ranks come
 * first; of so many, Cartesian ones with most dimensions.
 */
#ifndef SCA_DETECT_TOPOLOGIES_OF_RUN_H
#define SCA_DETECT_TOPOLOGIES_OF_RUN_H

#include "base/workspace.h"
#include "sca_topology.h"

enum { SCA_MOST_TOPOLOGIES = 32 };

struct sca_topologies {
    uint32_t n;        /* at most SCA_MOST_TOPOLOGIES */
    uint32_t left_out; /* how many more there are */
    struct sca_topology *of;
};

/* In the workspace; out of memory, it jumps. Of a graph communicator MPI tells no coordinates:
 * they are made by graph_hops.h, else its one dimension counts the members. */
void sca_topologies_make(struct sca_workspace *space, const struct sca_profile *profile,
                         struct sca_topologies *out);

/* An empty one for nranks ranks, none of which has a place. */
void sca_topologies_new(struct sca_workspace *space, uint32_t nranks, uint32_t ndims,
                        struct sca_topology *out);

/* Rank x thread: a place for each thread, at number rank * nthreads + thread. */
void sca_topologies_of_threads(struct sca_workspace *space, uint32_t nranks, uint32_t nthreads,
                               struct sca_topology *out);

#endif
