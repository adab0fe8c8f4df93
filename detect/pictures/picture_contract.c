#include "pictures/picture_contract.h"
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>

struct contracting {
    struct sca_picture *p;
    double least;
    bool *hot;     /* [column] */
    uint32_t *now; /* [node] */
};

/* ---- what stays ---- */

static void look_at_nodes(struct contracting *c)
{
    for (uint32_t i = 0; i < c->p->nnodes; i++) {
        const struct sca_picture_node *n = &c->p->nodes[i];
        if (n->share >= c->least || n->figure == SCA_FIGURE_END || n->figure == SCA_FIGURE_PEER ||
            n->figure == SCA_FIGURE_PHASE)
            c->hot[n->column] = true;
    }
    for (uint32_t i = 0; i < c->p->nedges; i++) {
        const struct sca_picture_edge *e = &c->p->edges[i];
        if (e->kind == SCA_LINK_COMPUTATION && e->share >= c->least)
            c->hot[c->p->nodes[e->from].column] = c->hot[c->p->nodes[e->to].column] = true;
    }
}

/* A loop stays where anything between its entry and its exit does. */
static bool holds_hot(const struct contracting *c, uint32_t entry)
{
    const struct sca_picture_node *from = &c->p->nodes[entry];
    for (uint32_t i = entry + 1; i < c->p->nnodes; i++) {
        const struct sca_picture_node *n = &c->p->nodes[i];
        if (n->group != from->group || (n->figure == SCA_FIGURE_LOOP && n->vertex == from->vertex))
            return false;
        if (c->hot[n->column] && n->figure != SCA_FIGURE_LOOP && n->figure != SCA_FIGURE_END)
            return true;
    }
    return false;
}

static void look_at_loops(struct contracting *c)
{
    struct sca_picture *p = c->p;
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->nnodes; i++)
        if (p->nodes[i].figure == SCA_FIGURE_LOOP && p->nodes[i].vertex > most)
            most = p->nodes[i].vertex;
    bool *loop = sca_workspace_alloc(p->space, most + (size_t)1, sizeof *loop);
    for (uint32_t i = 0; i < p->nnodes; i++)
        if (p->nodes[i].figure == SCA_FIGURE_LOOP && !p->nodes[i].place.behind && holds_hot(c, i))
            loop[p->nodes[i].vertex] = true;
    for (uint32_t i = 0; i < p->nnodes; i++)
        if (p->nodes[i].figure == SCA_FIGURE_LOOP && loop[p->nodes[i].vertex])
            c->hot[p->nodes[i].column] = true;
}

/* ---- nodes ---- */

static double sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static void unite_nodes(struct sca_picture_node *to, const struct sca_picture_node *from)
{
    bool counts = from->figure == SCA_FIGURE_CALL || from->figure == SCA_FIGURE_PLACE;
    to->united++;
    if (counts)
        to->count = sum(to->count, from->count);
    to->bytes = sum(to->bytes, from->bytes);
    to->seconds = sum(to->seconds, from->seconds);
    to->share = sum(to->share, from->share);
}

/* The first place of those that follow each other without one that stays; the same in all groups.
 */
static struct sca_picture_place first_place(const struct contracting *c, const uint32_t *at,
                                            uint32_t column)
{
    while (column && !c->hot[column - 1])
        column--;
    return c->p->nodes[at[column]].place;
}

static uint32_t end_of_run(const struct contracting *c, uint32_t first)
{
    const struct sca_picture_node *nodes = c->p->nodes;
    uint32_t end = first;
    while (end < c->p->nnodes && nodes[end].group == nodes[first].group &&
           !c->hot[nodes[end].column])
        end++;
    return end;
}

static struct sca_picture_node united(struct contracting *c, const uint32_t *at, uint32_t first,
                                      uint32_t end)
{
    const struct sca_picture_node *nodes = c->p->nodes;
    struct sca_picture_node rest = nodes[first];
    rest.figure = SCA_FIGURE_REST;
    rest.activity = "contracted";
    rest.vertex = SCA_NONE;
    rest.place = first_place(c, at, nodes[first].column);
    rest.iterations = rest.shortest = rest.longest = rest.deviation = (double)NAN;
    rest.count = rest.bytes = rest.seconds = rest.share = (double)NAN;
    rest.abnormal = false;
    for (uint32_t i = first; i < end; i++)
        unite_nodes(&rest, &nodes[i]);
    rest.brief = sca_picture_text(c->p, "%u more", rest.united);
    rest.label = sca_picture_text(c->p, "%u places from %s to %s", rest.united, nodes[first].label,
                                  nodes[end - 1].label);
    return rest;
}

static void contract_nodes(struct contracting *c)
{
    struct sca_picture *p = c->p;
    uint32_t n = 0, *at = sca_workspace_alloc(p->space, p->ncolumns, sizeof *at);
    struct sca_picture_node *nodes = sca_workspace_alloc(p->space, p->nnodes, sizeof *nodes);
    for (uint32_t i = 0; i < p->nnodes; i++)
        at[p->nodes[i].column] = i;
    for (uint32_t i = 0, end; i < p->nnodes; i = end) {
        end = end_of_run(c, i);
        end = end > i ? end : i + 1;
        nodes[n] = end > i + 1 ? united(c, at, i, end) : p->nodes[i];
        for (uint32_t k = i; k < end; k++)
            c->now[k] = n;
        n++;
    }
    p->nodes = nodes;
    p->nnodes = p->node_room = n;
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b)
{
    const struct sca_picture_edge *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    SCA_ORDER(x->kind, y->kind);
    SCA_ORDER(x->through, y->through);
    return 0;
}

static void unite_edges(struct sca_picture_edge *to, const struct sca_picture_edge *from)
{
    to->count += from->count; /* what is known of all is known */
    to->bytes += from->bytes;
    to->seconds += from->seconds;
    to->share += from->share;
    to->shortest = fmin(to->shortest, from->shortest);
    to->longest = fmax(to->longest, from->longest);
    to->deviation = (double)NAN;
    to->pairs = to->pairs > from->pairs ? to->pairs : from->pairs;
    to->known = *to->known ? "contracted" : to->known;
}

/* What lies within a node is its own. Messages stay: they are between ranks. */
static bool is_inside(const struct contracting *c, const struct sca_picture_edge *e)
{
    struct sca_picture_node *n = &c->p->nodes[e->to];
    if (e->from != e->to || !n->united || e->kind == SCA_LINK_MESSAGE)
        return false;
    if (e->kind == SCA_LINK_COMPUTATION) {
        n->seconds = sum(n->seconds, e->seconds);
        n->share = sum(n->share, e->share);
    }
    return true;
}

static void contract_edges(struct contracting *c)
{
    struct sca_picture *p = c->p;
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < p->nedges; i++) {
        struct sca_picture_edge e = p->edges[i];
        e.from = c->now[e.from];
        e.to = c->now[e.to];
        if (!is_inside(c, &e))
            p->edges[n++] = e;
    }
    if (n)
        qsort(p->edges, n, sizeof *p->edges, by_ends);
    for (uint32_t i = 0; i < n; i++)
        if (kept && !by_ends(&p->edges[kept - 1], &p->edges[i]))
            unite_edges(&p->edges[kept - 1], &p->edges[i]);
        else
            p->edges[kept++] = p->edges[i];
    p->nedges = kept;
}

void sca_picture_contract(struct sca_picture *p, double least)
{
    sca_picture_arrange(p);
    if (least > 0 && p->nnodes) {
        struct contracting c = {.p = p, .least = least};
        c.hot = sca_workspace_alloc(p->space, p->ncolumns, sizeof *c.hot);
        c.now = sca_workspace_alloc(p->space, p->nnodes, sizeof *c.now);
        look_at_nodes(&c);
        look_at_loops(&c);
        contract_nodes(&c);
        contract_edges(&c);
        sca_picture_arrange(p);
    }
}
