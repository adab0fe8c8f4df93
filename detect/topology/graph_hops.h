/*
 * Coordinates for the members of a graph communicator, which MPI gives none: how many hops each is
 * from the lowest rank, along what ranks send to, and its number among those as far away. What the
 * lowest does not reach begins anew behind the farthest, from its own lowest.
 */
#ifndef SCA_DETECT_GRAPH_HOPS_H
#define SCA_DETECT_GRAPH_HOPS_H

#include "base/workspace.h"
#include "sca_topology.h"

/* Sets coordinates of the topology of this communicator, whose members have a place already, and
 * its two dimensions. False, and it stays as it is: not all neighbours are known, or nobody is
 * farther than one hop. In the workspace. */
bool sca_graph_hops_place(struct sca_workspace *space, const struct sca_profile *profile,
                          uint32_t comm, struct sca_topology *topology);

#endif
