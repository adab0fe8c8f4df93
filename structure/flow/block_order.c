/* Reverse postorder of the blocks that are reached from the function's beginning, then from the
 * other roots. */
#include "flow/flow_graph.h"
#include "sca_error.h"

#include <stdlib.h>

struct order_visit {
    uint32_t block, next; /* successor to look at */
};

struct order_walk {
    struct sca_flow_graph *graph;
    struct order_visit *stack;
    uint32_t *left; /* blocks in the order in which they were left */
    size_t nleft;
    bool *seen;
};

static void walk_from(struct order_walk *w, uint32_t root)
{
    size_t depth = 0;
    if (root == SCA_NO_BLOCK || w->seen[root])
        return;
    w->stack[depth++] = (struct order_visit){root, 0};
    w->seen[root] = true;
    while (depth) {
        struct order_visit *top = &w->stack[depth - 1];
        const struct sca_flow_block *block = &w->graph->blocks[top->block];
        if (top->next == block->nsuccessors) {
            w->left[w->nleft++] = top->block;
            depth--;
            continue;
        }
        uint32_t to = w->graph->successors[block->successor + top->next++];
        if (!w->seen[to]) {
            w->seen[to] = true;
            w->stack[depth++] = (struct order_visit){to, 0};
        }
    }
}

/* Roots one after the other: what the first one reaches comes first. */
static void number(struct order_walk *w)
{
    struct sca_flow_graph *g = w->graph;
    size_t placed = 0;
    for (size_t r = 0; r < g->nroots; r++) {
        size_t before = w->nleft;
        walk_from(w, sca_flow_graph_block(g, g->roots[r]));
        for (size_t i = w->nleft; i-- > before;)
            g->ordered[placed++] = w->left[i];
        g->nreached = r ? g->nreached : placed;
    }
    for (uint32_t i = 0; i < placed; i++)
        g->blocks[g->ordered[i]].order = i;
    for (uint32_t b = 0; b < g->nblocks; b++)
        if (g->blocks[b].order == SCA_NO_BLOCK)
            g->ordered[placed++] = b;
}

static int make_room(struct sca_flow_graph *g)
{
    if (g->nblocks <= g->ordered_capacity)
        return SCA_OK;
    uint32_t *grown = realloc(g->ordered, g->nblocks * 2 * sizeof *grown);
    if (!grown)
        return sca_fail(SCA_ENOMEM, "out of memory for the blocks of a function");
    g->ordered = grown;
    g->ordered_capacity = g->nblocks * 2;
    return SCA_OK;
}

int sca_flow_order(struct sca_flow_graph *g)
{
    struct order_walk w = {.graph = g,
                           .stack = malloc((g->nblocks + 1) * sizeof *w.stack),
                           .left = malloc((g->nblocks + 1) * sizeof *w.left),
                           .seen = calloc(g->nblocks + 1, sizeof *w.seen)};
    int status = w.stack && w.left && w.seen ? make_room(g)
                                             : sca_fail(SCA_ENOMEM, "out of memory for blocks");
    if (!status)
        number(&w);
    free(w.stack);
    free(w.left);
    free(w.seen);
    return status;
}
