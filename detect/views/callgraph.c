/* Call graph: for the heaviest functions, who calls them and what they call, with time. Recursion
 * counts once: a function's time is that of its outermost activations. */
#include "views/figures.h"
#include "sca_function_name.h"
#include "sca_psg.h"
#include "views/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 10, MOST_EDGES = 8 };
enum { CORE_S, SHARE, SELF, ROLE, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [CORE_S] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [SELF] = {"self_core_s", "self", SCA_CELL_SECONDS},
    [ROLE] = {"role", NULL, SCA_CELL_TEXT},
};

struct function {
    const char *name;
    uint32_t vertex; /* the first that activates it */
    double inclusive, self;
};

struct edge {
    uint32_t caller, callee;
    double seconds;
};

struct call_graph {
    const struct sca_figures *f;
    uint32_t *of; /* per vertex: the function that is active there */
    struct function *functions;
    uint32_t nfunctions;
    struct edge *edges;
    uint32_t nedges;
};

/* Calls, MPI calls and the root each activate a function. */
static const char *activated(const struct sca_ppg_vertex *v)
{
    if (v->kind == SCA_ROOT)
        return v->function;
    return v->kind == SCA_CALL || v->kind == SCA_MPI ? v->name : NULL;
}

/* The body of a region is a function of its own to compilers only. */
static const char *shown(struct sca_workspace *space, const char *name)
{
    static const char of[] = "OpenMP region in ";
    char written[SCA_FUNCTION_NAME];
    if (!name || !sca_function_name_is_region(name))
        return name;
    size_t size = sizeof of + strlen(sca_function_name_written(written, name));
    char *text = sca_workspace_alloc(space, size, 1);
    snprintf(text, size, "%s%s", of, written);
    return text;
}

static uint32_t find_function(struct call_graph *g, const char *name, uint32_t vertex)
{
    for (uint32_t i = 0; i < g->nfunctions; i++)
        if (!strcmp(g->functions[i].name, name))
            return i;
    g->functions[g->nfunctions] = (struct function){.name = name, .vertex = vertex};
    return g->nfunctions++;
}

static bool is_active_above(const struct call_graph *g, uint32_t vertex, uint32_t function)
{
    const struct sca_ppg_vertex *vertices = g->f->ppg->vertices;
    while (vertex) {
        vertex = vertices[vertex].parent;
        if (g->of[vertex] == function)
            return true;
    }
    return false;
}

static void add_edge(struct call_graph *g, uint32_t caller, uint32_t callee, double seconds)
{
    uint32_t i = 0;
    while (i < g->nedges && (g->edges[i].caller != caller || g->edges[i].callee != callee))
        i++;
    if (i == g->nedges)
        g->edges[g->nedges++] = (struct edge){caller, callee, 0};
    g->edges[i].seconds += seconds;
}

static void build(struct sca_workspace *space, struct call_graph *g)
{
    const struct sca_ppg *ppg = g->f->ppg;
    g->of = sca_workspace_alloc(space, ppg->nvertices, sizeof *g->of);
    g->functions = sca_workspace_alloc(space, ppg->nvertices, sizeof *g->functions);
    g->edges = sca_workspace_alloc(space, ppg->nvertices, sizeof *g->edges);
    for (uint32_t v = 0; v < ppg->nvertices; v++) {
        const char *name = shown(space, activated(&ppg->vertices[v]));
        uint32_t around = g->of[ppg->vertices[v].parent];
        g->of[v] = name ? find_function(g, name, v) : around;
        struct function *function = &g->functions[g->of[v]];
        function->self += g->f->own[v];
        if (name && (!v || !is_active_above(g, v, g->of[v])))
            function->inclusive += g->f->inclusive[v];
        if (name && v && (around != g->of[v] || name == ppg->vertices[v].name))
            add_edge(g, around, g->of[v], g->f->inclusive[v]);
    }
}

static int by_inclusive(const void *a, const void *b, void *functions)
{
    const struct function *f = functions;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (f[x].inclusive != f[y].inclusive)
        return f[x].inclusive < f[y].inclusive ? 1 : -1;
    return (x > y) - (x < y);
}

static int by_seconds(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->caller != y->caller ? (x->caller > y->caller) - (x->caller < y->caller)
                                  : (x->callee > y->callee) - (x->callee < y->callee);
}

static struct sca_row *add(struct sca_table *t, const struct call_graph *g, const char *label,
                           const char *role, double seconds)
{
    struct sca_row *row = sca_table_row(t, NULL);
    row->label = label;
    row->cells[ROLE].text = role;
    row->cells[CORE_S].number = seconds;
    row->cells[SHARE].number = g->f->total > 0 ? seconds / g->f->total : 0;
    row->cells[SELF].number = (double)NAN;
    return row;
}

static void add_edges(struct sca_table *t, const struct call_graph *g, uint32_t function,
                      bool callers)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < g->nedges && shown < MOST_EDGES; i++) {
        uint32_t here = callers ? g->edges[i].callee : g->edges[i].caller;
        uint32_t there = callers ? g->edges[i].caller : g->edges[i].callee;
        if (here != function || g->edges[i].seconds <= 0)
            continue;
        const char *name = g->functions[there].name;
        const char *label = sca_table_text(t, "%s %s", callers ? "from" : "to", name);
        add(t, g, label, callers ? "caller" : "callee", g->edges[i].seconds)->depth = 4;
        shown++;
    }
}

static void add_function(struct sca_table *t, const struct call_graph *g, uint32_t i)
{
    const struct function *function = &g->functions[i];
    uint32_t first = t->nrows;
    add_edges(t, g, i, true);
    struct sca_row *row = add(t, g, function->name, "function", function->inclusive);
    row->cells[SELF].number = function->self;
    row->bold = true;
    add_edges(t, g, i, false);
    t->rows[first].interval = first > 0;
}

void sca_view_callgraph(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    struct call_graph g = {.f = &f};
    sca_figures_replayed(in->space, in->ppg, in->ppg->nruns - 1, in->waits, &f);
    build(in->space, &g);
    uint32_t *order = sca_workspace_alloc(in->space, g.nfunctions, sizeof *order);
    uint32_t most = in->top && in->top < MOST_FUNCTIONS ? in->top : MOST_FUNCTIONS;
    for (uint32_t i = 0; i < g.nfunctions; i++)
        order[i] = i;
    qsort_r(order, g.nfunctions, sizeof *order, by_inclusive, g.functions);
    qsort(g.edges, g.nedges, sizeof *g.edges, by_seconds);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out,
                                "%s on %u ranks: call graph, callers above each function, "
                                "callees below",
                                in->ppg->program, f.run->nranks);
    for (uint32_t i = 0; i < g.nfunctions; i++)
        if (in->top && i >= most)
            out->left_out++;
        else
            add_function(out, &g, order[i]);
}
