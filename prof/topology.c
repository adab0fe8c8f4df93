/* How many neighbours a process has in its communicator's topology: asked once, then kept. */
#include "comm.h"
#include "abi.h"
#include "symbols.h"
#include <stddef.h>

static int ask(unsigned function, sca_word comm, int *a, int *b, int *c)
{
    typedef int (*question)(sca_word, int *, int *, int *);
    return ((question)SCA_REAL(function))(comm, a, b, c);
}

/* Which topology it is, is told by which question has an answer: errors would be raised with the
 * application's handler, so Topo_test is asked first and its values compared. */
static uint32_t count(const struct sca_communicator *comm)
{
    int kind = 0, in = 0, out = 0, weighted = 0;
    if (ask(SCA_FN_Topo_test, comm->handle, &kind, NULL, NULL) != 0)
        return 0;
    if (kind == sca_abi.cart && ask(SCA_FN_Cartdim_get, comm->handle, &out, NULL, NULL) == 0)
        return 2 * (uint32_t)out;
    if (kind == sca_abi.dist_graph &&
        ask(SCA_FN_Dist_graph_neighbors_count, comm->handle, &in, &out, &weighted) == 0)
        return (uint32_t)out;
    if (kind == sca_abi.graph) {
        typedef int (*question)(sca_word, int, int *);
        if (((question)SCA_REAL(SCA_FN_Graph_neighbors_count))(comm->handle, (int)comm->rank,
                                                               &out) == 0)
            return (uint32_t)out;
    }
    return 0;
}

uint32_t sca_comm_neighbours(struct sca_communicator *comm)
{
    if (comm->neighbours == SCA_NONE)
        comm->neighbours = count(comm);
    return comm->neighbours;
}
