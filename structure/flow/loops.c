/* Nested strongly connected components (Tarjan 1972, applied again inside each component without
 * its header). */
#include "flow/flow_graph.h"
#include "sca_error.h"

#include <stdlib.h>

enum { DEEPEST_NEST = 64 /* deeper ones stay part of the loop around */ };

struct loop_visit {
    uint32_t block, next;
};

struct region { /* blocks among which components are sought: members[first .. first+count) */
    uint32_t first, count, loop, depth;
};

struct search {
    struct sca_flow_graph *graph;
    uint32_t *index, *low; /* per block; index 0: not visited in this region */
    uint32_t *region_of;   /* per block: number of the region that is being looked at */
    uint32_t *stack;       /* Tarjan's */
    bool *on_stack;
    struct loop_visit *visits;
    uint32_t *members; /* blocks, component by component */
    uint32_t clock, nstack, region;
    struct region *open; /* regions to look at */
    size_t nopen, open_capacity;
    uint32_t next; /* free place in members */
};

static bool inside(const struct search *s, uint32_t block)
{
    return s->region_of[block] == s->region;
}

static bool has_self_edge(const struct sca_flow_graph *g, uint32_t block)
{
    const struct sca_flow_block *b = &g->blocks[block];
    for (uint32_t i = 0; i < b->nsuccessors; i++)
        if (g->successors[b->successor + i] == block)
            return true;
    return false;
}

/* The block through which the component is entered: of those with an edge from outside the first in
 * order, which is the first of all. */
static uint32_t header_of(const struct sca_flow_graph *g, const uint32_t *members, uint32_t count)
{
    uint32_t header = members[0];
    for (uint32_t i = 1; i < count; i++)
        if (g->blocks[members[i]].order < g->blocks[header].order)
            header = members[i];
    return header;
}

static int open_region(struct search *s, struct region region)
{
    if (sca_arena_grow(&s->open, sizeof *s->open, s->nopen, &s->open_capacity))
        return SCA_ENOMEM;
    s->open[s->nopen++] = region;
    return SCA_OK;
}

static int add_loop(struct search *s, uint32_t first, uint32_t count, const struct region *around)
{
    struct sca_flow_graph *g = s->graph;
    if (sca_arena_grow(&g->loops, sizeof *g->loops, g->nloops, &g->loops_capacity))
        return SCA_ENOMEM;
    uint32_t loop = (uint32_t)g->nloops++, kept = first;
    uint32_t header = header_of(g, s->members + first, count);
    g->loops[loop] = (struct sca_flow_loop){around->loop, header, around->depth + 1, false};
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t block = s->members[i];
        g->blocks[block].loop = loop;
        if (block != header)
            s->members[kept++] = block;
    }
    if (kept == first || around->depth + 1 >= DEEPEST_NEST)
        return SCA_OK;
    return open_region(s, (struct region){first, kept - first, loop, around->depth + 1});
}

/* Takes a finished component off the stack; it lies in members from s->next on. */
static int take_component(struct search *s, uint32_t root, const struct region *around)
{
    uint32_t first = s->next, block;
    do {
        block = s->stack[--s->nstack];
        s->on_stack[block] = false;
        s->members[s->next++] = block;
    } while (block != root);
    uint32_t count = s->next - first;
    return count > 1 || has_self_edge(s->graph, root) ? add_loop(s, first, count, around) : SCA_OK;
}

static void enter(struct search *s, uint32_t block, uint32_t *depth)
{
    s->index[block] = s->low[block] = ++s->clock;
    s->stack[s->nstack++] = block;
    s->on_stack[block] = true;
    s->visits[(*depth)++] = (struct loop_visit){block, 0};
}

static void lower(struct search *s, uint32_t block, uint32_t to)
{
    if (to < s->low[block])
        s->low[block] = to;
}

static int visit_from(struct search *s, uint32_t root, const struct region *around)
{
    uint32_t depth = 0;
    int status = SCA_OK;
    enter(s, root, &depth);
    while (!status && depth) {
        struct loop_visit *top = &s->visits[depth - 1];
        const struct sca_flow_block *b = &s->graph->blocks[top->block];
        if (top->next < b->nsuccessors) {
            uint32_t to = s->graph->successors[b->successor + top->next++];
            if (!inside(s, to))
                continue;
            if (!s->index[to])
                enter(s, to, &depth);
            else if (s->on_stack[to])
                lower(s, top->block, s->index[to]);
            continue;
        }
        uint32_t done = top->block;
        if (--depth)
            lower(s, s->visits[depth - 1].block, s->low[done]);
        if (s->low[done] == s->index[done])
            status = take_component(s, done, around);
    }
    return status;
}

static int look_into(struct search *s, const struct region *r, uint32_t *blocks)
{
    int status = SCA_OK;
    s->region++;
    s->next = r->first;
    for (uint32_t i = 0; i < r->count; i++) {
        blocks[i] = s->members[r->first + i];
        s->region_of[blocks[i]] = s->region;
        s->index[blocks[i]] = 0;
    }
    for (uint32_t i = 0; !status && i < r->count; i++)
        if (!s->index[blocks[i]])
            status = visit_from(s, blocks[i], r);
    return status;
}

static int search_all(struct search *s, uint32_t *blocks)
{
    struct sca_flow_graph *g = s->graph;
    uint32_t reached = 0;
    for (uint32_t i = 0; i < g->nblocks; i++)
        if (g->blocks[g->ordered[i]].order != SCA_NO_BLOCK)
            s->members[reached++] = g->ordered[i];
    int status = open_region(s, (struct region){0, reached, SCA_NO_LOOP, 0});
    while (!status && s->nopen) {
        struct region r = s->open[--s->nopen];
        status = look_into(s, &r, blocks);
    }
    return status;
}

static bool holds(const struct sca_flow_graph *g, uint32_t loop, uint32_t block)
{
    uint32_t l = g->blocks[block].loop;
    while (l != SCA_NO_LOOP && l != loop)
        l = g->loops[l].parent;
    return l == loop;
}

/* Edges from outside that do not lead to the header. */
static void find_entries(struct sca_flow_graph *g)
{
    for (uint32_t b = 0; b < g->nblocks; b++)
        for (uint32_t i = 0; i < g->blocks[b].nsuccessors; i++) {
            uint32_t to = g->successors[g->blocks[b].successor + i];
            for (uint32_t l = g->blocks[to].loop; l != SCA_NO_LOOP && !holds(g, l, b);
                 l = g->loops[l].parent)
                g->loops[l].many |= g->loops[l].header != to;
        }
}

int sca_flow_loops(struct sca_flow_graph *g)
{
    size_t n = g->nblocks + 1;
    uint32_t *words = calloc(n, 6 * sizeof *words);
    struct search s = {.graph = g,
                       .on_stack = calloc(n, sizeof *s.on_stack),
                       .visits = malloc(n * sizeof *s.visits)};
    int status = sca_fail(SCA_ENOMEM, "out of memory for the loops of a function");
    if (words && s.on_stack && s.visits) {
        s.index = words;
        s.low = words + n;
        s.region_of = words + 2 * n;
        s.stack = words + 3 * n;
        s.members = words + 4 * n;
        status = search_all(&s, words + 5 * n);
    }
    if (!status)
        find_entries(g);
    free(words);
    free(s.on_stack);
    free(s.visits);
    free(s.open);
    return status;
}
