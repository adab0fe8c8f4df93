#include "activity/task_controls.h"

#include <math.h>
#include <string.h>

enum { MOST_LOOPS = 64 }; /* around a call; more are passed over, the outer ones first */

struct loops { /* around a node, the innermost first */
    uint32_t n, of[MOST_LOOPS];
};

struct controls {
    struct sca_task_graph *g;
    uint32_t *entry, *exit;   /* [vertex]; SCA_NONE */
    double *entries, *rounds; /* [vertex] */
    bool *has_own;            /* [vertex]: a call that lies in no inner loop, nor in a branch */
    uint32_t *inner;          /* [vertex]: the only inner loop with calls; 0: none, or several */
    bool *several;
};

static struct loops loops_around(const struct controls *c, uint32_t node)
{
    const struct sca_ppg_vertex *vertices = c->g->ppg->vertices;
    struct loops loops = {0};
    uint32_t v = c->g->nodes[node].vertex;
    for (v = v == SCA_NONE ? 0 : v; v; v = vertices[v].parent)
        if (vertices[v].kind == SCA_LOOP && loops.n < MOST_LOOPS)
            loops.of[loops.n++] = v;
    return loops;
}

static uint32_t control_node(struct controls *c, uint32_t *known, enum sca_task_kind kind,
                             uint32_t loop)
{
    if (known[loop] == SCA_NONE)
        known[loop] = sca_task_graph_node(c->g, kind, loop);
    return known[loop];
}

static void pass(struct controls *c, uint32_t from, uint32_t to, const struct sca_task_times *times)
{
    struct sca_task_edge *e = sca_task_graph_edge(c->g, SCA_TASK_PASSES, from, to);
    e->times.count += times->count;
    e->times.seconds += times->seconds;
}

/* A computation leaves the loops around its beginning that are not around its end, and enters those
 * of its end. Where it leads back, it goes round the innermost loop around both. */
static void follow(struct controls *c, const struct sca_task_edge *way)
{
    struct sca_task_graph *g = c->g;
    struct loops out = loops_around(c, way->from), in = loops_around(c, way->to);
    uint32_t at = way->from, from = g->nodes[way->from].vertex, to = g->nodes[way->to].vertex;
    while (out.n && in.n && out.of[out.n - 1] == in.of[in.n - 1]) {
        bool innermost = out.n == 1 || in.n == 1 || out.of[out.n - 2] != in.of[in.n - 2];
        if (innermost && from != SCA_NONE && to <= from)
            c->rounds[out.of[out.n - 1]] += way->times.count;
        out.n--;
        in.n--;
    }
    const struct sca_task_times times = way->times;
    for (uint32_t i = 0; i < out.n; i++) {
        uint32_t next = control_node(c, c->exit, SCA_TASK_LOOP_EXIT, out.of[i]);
        g->nodes[next].times.count += times.count;
        pass(c, at, next, &times);
        at = next;
    }
    for (uint32_t i = in.n; i-- > 0;) {
        uint32_t next = control_node(c, c->entry, SCA_TASK_LOOP_ENTRY, in.of[i]);
        g->nodes[next].times.count += times.count;
        c->entries[in.of[i]] += times.count;
        pass(c, at, next, &times);
        at = next;
    }
    if (out.n || in.n)
        pass(c, at, way->to, &times);
}

/* ---- what can be told apart ---- */

/* Which loops have calls of their own, that no branch may pass over. */
static void look_at_calls(struct controls *c)
{
    const struct sca_ppg_vertex *vertices = c->g->ppg->vertices;
    for (uint32_t i = 0; i < c->g->nnodes; i++) {
        const struct sca_task_node *n = &c->g->nodes[i];
        if (n->vertex == SCA_NONE || n->kind == SCA_TASK_LOOP_ENTRY ||
            n->kind == SCA_TASK_LOOP_EXIT || n->kind == SCA_TASK_BEGINS ||
            n->kind == SCA_TASK_ENDS) /* no computation leads there */
            continue;
        uint32_t inner = 0;
        bool branch = false;
        for (uint32_t v = vertices[n->vertex].parent; v; v = vertices[v].parent) {
            branch |= vertices[v].kind == SCA_BRANCH;
            if (vertices[v].kind != SCA_LOOP)
                continue;
            c->has_own[v] |= !inner && !branch;
            c->several[v] |= inner && c->inner[v] && c->inner[v] != inner;
            c->inner[v] = inner ? inner : c->inner[v];
            inner = v;
        }
    }
}

/* Without a call of its own, or a second loop, a round of the loop looks like one of that in it. */
static bool hides(const struct controls *c, uint32_t loop)
{
    return c->inner[loop] && !c->has_own[loop] && !c->several[loop];
}

static void set_iterations(struct controls *c, uint32_t loop)
{
    struct sca_task_graph *g = c->g;
    struct sca_task_node *entry = &g->nodes[c->entry[loop]];
    bool hidden = false; /* how often it is entered */
    for (uint32_t v = loop, p = g->ppg->vertices[v].parent; p; p = g->ppg->vertices[p].parent)
        hidden |= g->ppg->vertices[p].kind == SCA_LOOP && hides(c, p);
    entry->iterations = hides(c, loop) ? (double)NAN : c->entries[loop] + c->rounds[loop];
    if (!hidden)
        return;
    entry->times.count = (double)NAN;
    if (c->exit[loop] != SCA_NONE)
        g->nodes[c->exit[loop]].times.count = (double)NAN;
}

/* Ways to and from what nobody can count. */
static void forget_counts(struct sca_task_graph *g)
{
    for (uint32_t i = 0; i < g->nedges; i++) {
        struct sca_task_edge *e = &g->edges[i];
        if (e->kind == SCA_TASK_PASSES &&
            (isnan(g->nodes[e->from].times.count) || isnan(g->nodes[e->to].times.count)))
            e->times.count = (double)NAN;
    }
}

static uint32_t *none(struct controls *c, size_t n)
{
    uint32_t *of = sca_workspace_alloc(c->g->space, n, sizeof *of);
    memset(of, 0xff, n * sizeof *of);
    return of;
}

void sca_task_controls_add(struct sca_task_graph *g)
{
    uint32_t n = g->ppg->nvertices, ways = g->nedges;
    struct controls c = {.g = g};
    c.entry = none(&c, n);
    c.exit = none(&c, n);
    c.entries = sca_workspace_alloc(g->space, n, sizeof *c.entries);
    c.rounds = sca_workspace_alloc(g->space, n, sizeof *c.rounds);
    c.has_own = sca_workspace_alloc(g->space, n, sizeof *c.has_own);
    c.several = sca_workspace_alloc(g->space, n, sizeof *c.several);
    c.inner = sca_workspace_alloc(g->space, n, sizeof *c.inner);
    look_at_calls(&c);
    for (uint32_t i = 0; i < ways; i++)
        if (g->edges[i].kind == SCA_TASK_COMPUTES) {
            const struct sca_task_edge way = g->edges[i];
            follow(&c, &way);
        }
    for (uint32_t v = 0; v < n; v++)
        if (c.entry[v] != SCA_NONE)
            set_iterations(&c, v);
    forget_counts(g);
}
