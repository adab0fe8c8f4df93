/* A task activity graph in the order of the program. */
#include "activity/task_controls.h"
#include "base/compare.h"

#include <stdlib.h>

struct position { /* in the program */
    uint32_t at, behind, inner, node;
};

static struct position position_of(const struct sca_task_graph *g, uint32_t i)
{
    const struct sca_task_node *n = &g->nodes[i];
    if (n->kind == SCA_TASK_START)
        return (struct position){0, 0, 0, i};
    if (n->kind == SCA_TASK_END)
        return (struct position){UINT32_MAX, 0, n->vertex, i};
    if (n->kind == SCA_TASK_LOOP_EXIT) /* of loops that end together, the inner one first */
        return (struct position){g->ends[n->vertex] - 1, 1, UINT32_MAX - n->vertex, i};
    return (struct position){n->vertex, 0, 0, i};
}

static int by_position(const void *a, const void *b)
{
    const struct position *x = a, *y = b;
    SCA_ORDER(x->at, y->at);
    SCA_ORDER(x->behind, y->behind);
    SCA_ORDER(x->inner, y->inner);
    SCA_ORDER(x->node, y->node);
    return 0;
}

static int by_ends(const void *a, const void *b)
{
    const struct sca_task_edge *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    SCA_ORDER(x->kind, y->kind);
    return 0;
}

static void put_in_order(struct sca_task_graph *g)
{
    struct position *order = sca_workspace_alloc(g->space, g->nnodes, sizeof *order);
    struct sca_task_node *nodes = sca_workspace_alloc(g->space, g->nnodes, sizeof *nodes);
    uint32_t *now = sca_workspace_alloc(g->space, g->nnodes, sizeof *now);
    for (uint32_t i = 0; i < g->nnodes; i++)
        order[i] = position_of(g, i);
    qsort(order, g->nnodes, sizeof *order, by_position);
    for (uint32_t i = 0; i < g->nnodes; i++) {
        nodes[i] = g->nodes[order[i].node];
        now[order[i].node] = i;
        if (nodes[i].vertex != SCA_NONE && g->call_node[nodes[i].vertex] == order[i].node)
            g->call_node[nodes[i].vertex] = i;
    }
    g->nodes = nodes;
    g->node_room = g->nnodes;
    for (uint32_t i = 0; i < g->nedges; i++) {
        g->edges[i].from = now[g->edges[i].from];
        g->edges[i].to = now[g->edges[i].to];
    }
    if (g->nedges)
        qsort(g->edges, g->nedges, sizeof *g->edges, by_ends);
    sca_task_graph_list_edges(g);
}

void sca_task_graph_finish(struct sca_task_graph *g)
{
    sca_task_controls_add(g);
    put_in_order(g);
}
