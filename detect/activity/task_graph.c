#include "activity/task_graph.h"
#include "graph/mpi_function.h"

#include <math.h>
#include <string.h>

/* ---- times ---- */

bool sca_task_times_are_whole(const struct sca_task_times *t)
{
    return t->count > 0 && t->sample.count >= t->count;
}

double sca_task_times_deviation(const struct sca_task_times *t)
{
    enum { ROUNDED = 16 }; /* of which extremes may be a part too far outside */
    double sd = sca_task_sample_deviation(&t->sample), mean = t->seconds / t->count;
    double above = t->longest - mean, below = mean - t->shortest;
    if (sca_task_times_are_whole(t))
        return sd;
    double least = sqrt((above * above + below * below) / t->count);
    return least * (1 - 1.0 / ROUNDED) > sd ? (double)NAN : sd;
}

/* ---- nodes ---- */

static struct sca_task_times unknown_times(void)
{
    return (struct sca_task_times){.shortest = (double)NAN, .longest = (double)NAN};
}

static uint32_t append_node(struct sca_task_graph *g, enum sca_task_kind kind, uint32_t vertex)
{
    if (g->nnodes == g->node_room) {
        g->node_room = g->node_room ? 2 * g->node_room : 32;
        g->nodes =
            sca_workspace_grow(g->space, g->nodes, g->nnodes, g->node_room, sizeof *g->nodes);
    }
    g->nodes[g->nnodes] = (struct sca_task_node){
        .kind = kind, .vertex = vertex, .times = unknown_times(), .iterations = (double)NAN};
    return g->nnodes++;
}

static enum sca_task_kind kind_of(const struct sca_ppg_vertex *v)
{
    if (!strcmp(v->name, "MPI_Finalize"))
        return SCA_TASK_END;
    if (!strncmp(v->name, SCA_PLACE_BEGINS, strlen(SCA_PLACE_BEGINS)))
        return SCA_TASK_BEGINS;
    if (!strncmp(v->name, SCA_PLACE_ENDS, strlen(SCA_PLACE_ENDS)))
        return SCA_TASK_ENDS;
    return sca_mpi_function_is_local(v->name) ? SCA_TASK_LOCAL : SCA_TASK_CALL;
}

uint32_t sca_task_graph_node(struct sca_task_graph *g, enum sca_task_kind kind, uint32_t vertex)
{
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (g->nodes[i].kind == kind && g->nodes[i].vertex == vertex)
            return i;
    return append_node(g, kind, vertex);
}

uint32_t sca_task_graph_call(struct sca_task_graph *g, uint32_t site)
{
    if (site == 0)
        return 0; /* the start */
    uint32_t vertex = site < g->run->profile->nsites ? g->run->site_vertex[site] : SCA_NONE;
    if (vertex == SCA_NONE)
        return SCA_NONE;
    if (g->call_node[vertex] == SCA_NONE)
        g->call_node[vertex] = append_node(g, kind_of(&g->ppg->vertices[vertex]), vertex);
    return g->call_node[vertex];
}

/* ---- edges, by hash ---- */

static uint32_t place_of(enum sca_task_edge_kind kind, uint32_t from, uint32_t to)
{
    uint64_t key = ((uint64_t)from << 34) ^ ((uint64_t)to << 2) ^ (uint64_t)kind;
    return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32);
}

/* Where it stands in the table, or would. */
static uint32_t *slot_of(const struct sca_task_graph *g, enum sca_task_edge_kind kind,
                         uint32_t from, uint32_t to)
{
    uint32_t at = place_of(kind, from, to);
    for (;; at++) {
        uint32_t *slot = &g->table[at & (g->table_room - 1)];
        const struct sca_task_edge *e = *slot == SCA_NONE ? NULL : &g->edges[*slot];
        if (!e || (e->kind == kind && e->from == from && e->to == to))
            return slot;
    }
}

void sca_task_graph_list_edges(struct sca_task_graph *g)
{
    if (g->table_room)
        memset(g->table, 0xff, g->table_room * sizeof *g->table);
    for (uint32_t i = 0; i < g->nedges; i++)
        *slot_of(g, g->edges[i].kind, g->edges[i].from, g->edges[i].to) = i;
}

static void grow_table(struct sca_task_graph *g)
{
    g->table_room = g->table_room ? 2 * g->table_room : 128;
    g->table = sca_workspace_alloc(g->space, g->table_room, sizeof *g->table);
    sca_task_graph_list_edges(g);
}

struct sca_task_edge *sca_task_graph_find(const struct sca_task_graph *g,
                                          enum sca_task_edge_kind kind, uint32_t from, uint32_t to)
{
    uint32_t at = g->table_room ? *slot_of(g, kind, from, to) : SCA_NONE;
    return at == SCA_NONE ? NULL : &g->edges[at];
}

struct sca_task_edge *sca_task_graph_edge(struct sca_task_graph *g, enum sca_task_edge_kind kind,
                                          uint32_t from, uint32_t to)
{
    struct sca_task_edge *known = sca_task_graph_find(g, kind, from, to);
    if (known)
        return known;
    if (2 * (g->nedges + 1) > g->table_room)
        grow_table(g);
    if (g->nedges == g->edge_room) {
        g->edge_room = g->edge_room ? 2 * g->edge_room : 64;
        g->edges =
            sca_workspace_grow(g->space, g->edges, g->nedges, g->edge_room, sizeof *g->edges);
    }
    *slot_of(g, kind, from, to) = g->nedges;
    g->edges[g->nedges] =
        (struct sca_task_edge){.kind = kind, .from = from, .to = to, .times = unknown_times()};
    return &g->edges[g->nedges++];
}

/* ---- begin ---- */

struct sca_task_graph *sca_task_graph_begin(struct sca_workspace *space,
                                            const struct sca_task_source *source)
{
    struct sca_task_graph *g = sca_workspace_alloc(space, 1, sizeof *g);
    uint32_t n = source->ppg->nvertices;
    *g = (struct sca_task_graph){
        .space = space, .ppg = source->ppg, .run = source->run, .ends = source->ends};
    g->call_node = sca_workspace_alloc(space, n, sizeof *g->call_node);
    memset(g->call_node, 0xff, n * sizeof *g->call_node);
    append_node(g, SCA_TASK_START, SCA_NONE);
    return g;
}
