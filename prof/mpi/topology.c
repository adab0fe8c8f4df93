#include "mpi/topology.h"
#include "mpi/abi.h"
#include "base/pool.h"
#include "sca_part.h"

#include <stdio.h>
#include <string.h>

struct grid {
    int ndims, dims[SCA_MOST_DIMENSIONS], periodic[SCA_MOST_DIMENSIONS], at[SCA_MOST_DIMENSIONS];
};

static int call(unsigned function, sca_word comm, sca_word a, sca_word b, sca_word c, sca_word d)
{
    typedef int (*question)(sca_word, sca_word, sca_word, sca_word, sca_word);
    return ((question)SCA_REAL(function))(comm, a, b, c, d);
}

static sca_word out(int *to)
{
    return (sca_word)to;
}

/* A question about another kind of topology would raise the application's error handler: what
 * there is, is asked first. */
static int kind_of(sca_word comm)
{
    int kind = sca_abi.undefined;
    return call(SCA_FN_Topo_test, comm, out(&kind), 0, 0, 0) ? sca_abi.undefined : kind;
}

static bool get_grid(sca_word comm, struct grid *g)
{
    return !call(SCA_FN_Cartdim_get, comm, out(&g->ndims), 0, 0, 0) && g->ndims >= 0 &&
           g->ndims <= SCA_MOST_DIMENSIONS &&
           !call(SCA_FN_Cart_get, comm, (sca_word)g->ndims, out(g->dims), out(g->periodic),
                 out(g->at));
}

static size_t bytes_of(uint32_t count)
{
    return sizeof(struct sca_neighbours) + count * sizeof(int);
}

static struct sca_neighbours *make(int outgoing, int incoming)
{
    if (outgoing < 0 || incoming < 0)
        return NULL;
    struct sca_neighbours *n = sca_pool_alloc(bytes_of((uint32_t)outgoing + (uint32_t)incoming));
    if (n) {
        n->out = (uint32_t)outgoing;
        n->in = (uint32_t)incoming;
    }
    return n;
}

void sca_topology_free(struct sca_neighbours *n)
{
    sca_pool_free(n, n ? bytes_of(n->out + n->in) : 0);
}

static struct sca_neighbours *give_up(struct sca_neighbours *n)
{
    sca_topology_free(n);
    return NULL;
}

/* Of each dimension the one below and the one above: sources and destinations alike. */
static struct sca_neighbours *of_grid(sca_word comm)
{
    struct grid g;
    struct sca_neighbours *n = get_grid(comm, &g) ? make(2 * g.ndims, 2 * g.ndims) : NULL;
    for (int d = 0; n && d < g.ndims; d++) {
        int *pair = &n->ranks[2 * d], *same = &n->ranks[n->out + 2 * (uint32_t)d];
        if (call(SCA_FN_Cart_shift, comm, (sca_word)d, 1, out(&pair[0]), out(&pair[1])))
            return give_up(n);
        memcpy(same, pair, 2 * sizeof *pair);
    }
    return n;
}

static struct sca_neighbours *of_graph(sca_word comm, int rank)
{
    int degree = 0;
    struct sca_neighbours *n = NULL;
    if (!call(SCA_FN_Graph_neighbors_count, comm, (sca_word)rank, out(&degree), 0, 0))
        n = make(degree, degree);
    if (n && call(SCA_FN_Graph_neighbors, comm, (sca_word)rank, (sca_word)degree, out(n->ranks), 0))
        return give_up(n);
    if (n)
        memcpy(n->ranks + degree, n->ranks, (size_t)degree * sizeof *n->ranks);
    return n;
}

/* Weights are asked for too: they cannot be left out where there are some. */
static struct sca_neighbours *of_dist_graph(sca_word comm)
{
    typedef int (*question)(sca_word, int, int *, int *, int, int *, int *);
    int in = 0, outgoing = 0, weighted = 0;
    if (call(SCA_FN_Dist_graph_neighbors_count, comm, out(&in), out(&outgoing), out(&weighted), 0))
        return NULL;
    struct sca_neighbours *n = make(outgoing, in);
    size_t bytes = ((size_t)in + (size_t)outgoing) * sizeof(int);
    int *weights = sca_pool_alloc(bytes ? bytes : 1);
    int failed = !n || !weights ||
                 ((question)SCA_REAL(SCA_FN_Dist_graph_neighbors))(
                     comm, in, n->ranks + outgoing, weights, outgoing, n->ranks, weights + in);
    sca_pool_free(weights, bytes ? bytes : 1);
    return failed ? give_up(n) : n;
}

struct sca_neighbours *sca_topology_neighbours(sca_word comm, int rank)
{
    int kind = kind_of(comm);
    if (kind == sca_abi.cart)
        return of_grid(comm);
    if (kind == sca_abi.graph)
        return of_graph(comm, rank);
    return kind == sca_abi.dist_graph ? of_dist_graph(comm) : NULL;
}

static size_t list(char *text, size_t size, const char *name, const int *numbers, int n)
{
    size_t used = 0;
    for (int i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : name, numbers[i]);
    return used < size ? used : size;
}

static void describe_grid(sca_word comm, char *text, size_t size)
{
    struct grid g;
    if (!get_grid(comm, &g))
        return;
    size_t used = list(text, size, "cart ", g.dims, g.ndims);
    used += list(text + used, size - used, " periodic ", g.periodic, g.ndims);
    used += list(text + used, size - used, " at ", g.at, g.ndims);
    if (used >= size) /* half of it would be another topology */
        text[0] = '\0';
}

void sca_topology_describe(sca_word comm, int rank, char *text, size_t size)
{
    int kind = kind_of(comm), in = 0, outgoing = 0, weighted = 0;
    text[0] = '\0';
    if (kind == sca_abi.cart)
        describe_grid(comm, text, size);
    else if (kind == sca_abi.graph &&
             !call(SCA_FN_Graph_neighbors_count, comm, (sca_word)rank, out(&outgoing), 0, 0))
        snprintf(text, size, "graph degree %d", outgoing);
    else if (kind == sca_abi.dist_graph && !call(SCA_FN_Dist_graph_neighbors_count, comm, out(&in),
                                                 out(&outgoing), out(&weighted), 0))
        snprintf(text, size, "dist_graph in %d out %d", in, outgoing);
}
