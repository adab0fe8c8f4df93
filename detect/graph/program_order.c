#include "graph/program_order.h"
#include "graph/same_place.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct child {
    const struct sca_context_node *node;
    uint32_t index;
};

static int in_order(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    const struct sca_ppg_vertex *v = &x->node->shown, *w = &y->node->shown;
    if (v->order != w->order)
        return v->order < w->order ? -1 : 1;
    int names = strcmp(v->name, w->name);
    return names ? names : x->index < y->index ? -1 : x->index > y->index;
}

static void sort_children(struct sca_contexts *g, uint32_t parent, struct child *space)
{
    size_t count = 0;
    for (uint32_t c = g->nodes[parent].first_child; c != SCA_NONE; c = g->nodes[c].next)
        space[count++] = (struct child){&g->nodes[c], c};
    if (count < 2)
        return;
    qsort(space, count, sizeof *space, in_order);
    g->nodes[parent].first_child = space[0].index;
    for (size_t i = 0; i < count; i++)
        g->nodes[space[i].index].next = i + 1 < count ? space[i + 1].index : SCA_NONE;
}

/* Preorder along the sorted children; number[] maps the old index to the new one. */
static void enumerate(const struct sca_contexts *g, struct sca_ppg_vertex *out, uint32_t *number)
{
    uint32_t at = 0, count = 0;
    for (;;) {
        out[count] = g->nodes[at].shown;
        out[count].parent = number[g->nodes[at].shown.parent];
        number[at] = count++;
        if (g->nodes[at].first_child != SCA_NONE) {
            at = g->nodes[at].first_child;
            continue;
        }
        while (at && g->nodes[at].next == SCA_NONE)
            at = g->nodes[at].shown.parent;
        if (!at)
            return;
        at = g->nodes[at].next;
    }
}

static void renumber(struct sca_tree_input *run, const uint32_t *number)
{
    for (uint32_t s = 1; s < run->profile->nsites; s++)
        run->site_vertex[s] = number[run->site_vertex[s]];
    for (uint32_t n = 0; n < run->profile->nnodes; n++)
        run->node_vertex[n] = number[run->node_vertex[n]];
}

int sca_program_order(struct sca_contexts *g, struct sca_tree_input *runs, uint32_t nruns,
                      struct sca_ppg_vertex **vertices, uint32_t *nvertices)
{
    uint32_t *number = calloc(g->count, sizeof *number);
    struct child *space = calloc(g->count, sizeof *space);
    *vertices = sca_arena_alloc(g->arena, g->count, sizeof **vertices);
    *nvertices = g->count;
    bool ok = number && space && *vertices;
    for (uint32_t i = 0; ok && i < g->count; i++)
        sort_children(g, i, space);
    if (ok) {
        enumerate(g, *vertices, number);
        sca_same_place_number(*vertices, *nvertices);
    }
    for (uint32_t r = 0; ok && r < nruns; r++)
        renumber(&runs[r], number);
    free(number);
    free(space);
    return ok ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for the program's vertices");
}
