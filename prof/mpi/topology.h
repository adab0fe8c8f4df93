/*
 * The topology a communicator carries: its neighbours, and where this rank stands in it. Asks MPI,
 * local calls only: never with the state lock held.
 */
#ifndef SCA_PROF_TOPOLOGY_H
#define SCA_PROF_TOPOLOGY_H

#include "mpi/symbols.h"
#include <stddef.h>
#include <stdint.h>

/* Ranks of the communicator, MPI_PROC_NULL among them; those it sends to first. From the pool. */
struct sca_neighbours {
    uint32_t out, in;
    int ranks[];
};

/* NULL without a topology, or memory. `rank` is this one's in it. */
struct sca_neighbours *sca_topology_neighbours(sca_word comm, int rank);
void sca_topology_free(struct sca_neighbours *neighbours);

/* "cart 4,2 periodic 1,0 at 3,1", "graph degree 3", "dist_graph in 2 out 3"; "" without one. */
void sca_topology_describe(sca_word comm, int rank, char *text, size_t size);

#endif
