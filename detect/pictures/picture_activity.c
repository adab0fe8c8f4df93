#include "pictures/picture_activity.h"
#include "activity/rank_roles.h"
#include "activity/rank_summary.h"
#include "activity/shape_collectives.h"
#include "activity/shape_flows.h"
#include "sca_phrase.h"
#include "stats/median.h"

#include <math.h>
#include <string.h>

enum { MOST_PEERS = 12 }; /* drawn one by one */

struct making_picture {
    struct sca_picture *p;
    const struct sca_task_source *source;
};

/* ---- nodes and edges of a graph ---- */

static enum sca_figure figure_of(enum sca_task_kind kind)
{
    switch (kind) {
    case SCA_TASK_START:
    case SCA_TASK_END:
        return SCA_FIGURE_END;
    case SCA_TASK_LOOP_ENTRY:
    case SCA_TASK_LOOP_EXIT:
        return SCA_FIGURE_LOOP;
    case SCA_TASK_BEGINS:
    case SCA_TASK_ENDS:
        return SCA_FIGURE_PHASE;
    default:
        return SCA_FIGURE_CALL;
    }
}

static struct sca_picture_place place_of(const struct sca_task_graph *g,
                                         const struct sca_task_node *n)
{
    if (n->kind == SCA_TASK_START)
        return (struct sca_picture_place){0, 0, 0};
    if (n->kind == SCA_TASK_END)
        return (struct sca_picture_place){UINT32_MAX, 0, n->vertex};
    if (n->kind == SCA_TASK_LOOP_EXIT) /* of loops that end together, the inner one first */
        return (struct sca_picture_place){g->ends[n->vertex] - 1, 1, UINT32_MAX - n->vertex};
    return (struct sca_picture_place){n->vertex, 0, 0};
}

static double share_of(const struct sca_task_graph *g, const struct sca_task_times *t)
{
    return g->seconds > 0 ? t->seconds / g->seconds : (double)NAN;
}

static void fill_times(const struct sca_task_graph *g, const struct sca_task_node *n,
                       struct sca_picture_node *out)
{
    out->bytes = n->bytes;
    out->seconds = n->times.seconds;
    out->share = share_of(g, &n->times);
    out->shortest = n->times.shortest;
    out->longest = n->times.longest;
    out->deviation = sca_task_times_deviation(&n->times);
}

static void add_node(const struct making_picture *d, const struct sca_task_graph *g, uint32_t group,
                     uint32_t id)
{
    static const char *const activities[] = {"start",     "call", "local call",   "loop entry",
                                             "loop exit", "end",  "phase begins", "phase ends"};
    const struct sca_task_node *n = &g->nodes[id];
    struct sca_picture_node *out = sca_picture_add_node(d->p, group);
    out->id = id;
    out->vertex = n->vertex;
    out->place = place_of(g, n);
    out->figure = figure_of(n->kind);
    out->activity = activities[n->kind];
    out->label = out->brief = "start";
    if (n->vertex != SCA_NONE)
        sca_picture_name(d->p, &g->ppg->vertices[n->vertex], out);
    if (out->figure == SCA_FIGURE_PHASE)
        out->brief = g->ppg->vertices[n->vertex].name;
    out->count = n->kind == SCA_TASK_START ? g->nranks : n->times.count;
    out->iterations = n->iterations;
    if (n->kind == SCA_TASK_CALL || n->kind == SCA_TASK_LOCAL || n->kind == SCA_TASK_END)
        fill_times(g, n, out);
}

/* SCA_NONE: none, or the start. */
static uint32_t loop_around(const struct sca_task_graph *g, uint32_t node)
{
    const struct sca_ppg_vertex *vertices = g->ppg->vertices;
    uint32_t v = g->nodes[node].vertex == SCA_NONE ? 0 : g->nodes[node].vertex;
    while (v && vertices[v].kind != SCA_LOOP)
        v = vertices[v].parent;
    return v ? v : SCA_NONE;
}

static void add_edge(const struct making_picture *d, const struct sca_task_graph *g, uint32_t first,
                     const struct sca_task_edge *e)
{
    static const enum sca_link links[] = {[SCA_TASK_COMPUTES] = SCA_LINK_COMPUTATION,
                                          [SCA_TASK_PASSES] = SCA_LINK_CONTROL,
                                          [SCA_TASK_COMPLETES] = SCA_LINK_COMPLETION,
                                          [SCA_TASK_STEPS] = SCA_LINK_STEP};
    struct sca_picture_edge *out =
        sca_picture_add_edge(d->p, links[e->kind], first + e->from, first + e->to);
    out->count = e->times.count;
    if (e->kind == SCA_TASK_COMPLETES)
        return;
    out->seconds = e->times.seconds;
    out->share = share_of(g, &e->times);
    if (e->kind == SCA_TASK_PASSES || e->kind == SCA_TASK_STEPS)
        return;
    out->through = loop_around(g, e->from) != loop_around(g, e->to);
    out->shortest = e->times.shortest;
    out->longest = e->times.longest;
    out->deviation = sca_task_times_deviation(&e->times);
}

/* Returns its first node. */
static uint32_t add_graph(const struct making_picture *d, const struct sca_task_graph *g,
                          uint32_t group)
{
    uint32_t first = d->p->nnodes;
    d->p->groups[group].seconds = g->seconds;
    d->p->groups[group].nranks = g->nranks;
    for (uint32_t i = 0; i < g->nnodes; i++)
        add_node(d, g, group, i);
    for (uint32_t i = 0; i < g->nedges; i++)
        add_edge(d, g, first, &g->edges[i]);
    return first;
}

static void add_message(const struct making_picture *d, uint32_t from, uint32_t to,
                        const struct sca_task_message *m, uint32_t pairs)
{
    static const char *const known[] = {"exact", "by totals", "seen"};
    struct sca_picture_edge *e = sca_picture_add_edge(d->p, SCA_LINK_MESSAGE, from, to);
    e->count = m->messages;
    e->bytes = m->bytes;
    e->known = known[m->known];
    e->pairs = pairs;
    e->shortest = m->shortest;
    e->longest = m->longest;
}

/* ---- of one rank ---- */

struct peers {                                              /* nodes of the second group */
    uint32_t n, rank[MOST_PEERS], node[MOST_PEERS], others; /* others: node, SCA_NONE */
};

/* It stands behind the call that exchanges messages with it first. */
static uint32_t add_peer(const struct making_picture *d, const char *label, uint32_t call)
{
    struct sca_picture_node *n = sca_picture_add_node(d->p, 1);
    n->id = d->p->nnodes - 1;
    n->place = (struct sca_picture_place){call, 3, n->id};
    n->figure = SCA_FIGURE_PEER;
    n->activity = "peer";
    n->label = n->brief = label;
    return d->p->nnodes - 1;
}

static uint32_t peer_node(const struct making_picture *d, struct peers *peers, uint32_t rank,
                          uint32_t call)
{
    for (uint32_t i = 0; i < peers->n; i++)
        if (peers->rank[i] == rank)
            return peers->node[i];
    if (peers->n == MOST_PEERS) {
        if (peers->others == SCA_NONE)
            peers->others = add_peer(d, "others", call);
        return peers->others;
    }
    peers->rank[peers->n] = rank;
    peers->node[peers->n] = add_peer(d, sca_picture_text(d->p, "rank %u", rank), call);
    return peers->node[peers->n++];
}

static void add_rank_messages(const struct making_picture *d, const struct sca_task_graph *g,
                              uint32_t rank, enum sca_direction direction, struct peers *peers)
{
    uint32_t *of, n = sca_task_messages_peers(d->p->space, d->source, rank, direction, &of);
    for (uint32_t i = 0; i < n; i++) {
        bool sent = direction == SCA_SENT;
        struct sca_task_messages list;
        sca_task_messages_between(d->p->space, d->source, sent ? rank : of[i], sent ? of[i] : rank,
                                  &list);
        for (uint32_t k = 0; k < list.count; k++) {
            const struct sca_task_message *m = &list.of[k];
            uint32_t own = sent ? m->send : m->receive;
            if (own == SCA_NONE)
                continue;
            uint32_t other = peer_node(d, peers, of[i], own);
            add_message(d, sent ? g->call_node[own] : other, sent ? other : g->call_node[own], m,
                        1);
        }
    }
}

void sca_picture_of_rank(struct sca_workspace *space, const struct sca_task_source *source,
                         uint32_t rank, struct sca_picture *out)
{
    struct peers peers = {.others = SCA_NONE};
    sca_picture_begin(space, out);
    const struct making_picture d = {out, source};
    struct sca_task_graph *g = sca_task_graph_begin(space, source);
    sca_task_graph_add(g, source, rank);
    sca_task_graph_finish(g);
    out->title = sca_picture_text(out, "%s on %u ranks: task activity graph of rank %u",
                                  source->ppg->program, source->run->nranks, rank);
    out->prefix = "r";
    out->first = rank;
    sca_picture_add_group(
        out, &(struct sca_picture_group){.name = sca_picture_text(out, "rank %u", rank),
                                         .ranks = sca_picture_text(out, "%u", rank),
                                         .role = ""});
    sca_picture_add_group(out, &(struct sca_picture_group){
                                   .name = "its peers", .ranks = "", .role = "", .nranks = 1});
    add_graph(&d, g, 0);
    add_rank_messages(&d, g, rank, SCA_SENT, &peers);
    add_rank_messages(&d, g, rank, SCA_RECEIVED, &peers);
    if (!peers.n)
        out->ngroups = 1;
}

/* Seconds of each rank that makes the call, from `times` on; returns how many. */
static uint32_t times_of(const struct sca_task_source *source, const float *seconds,
                         uint32_t vertex, double *times)
{
    uint32_t n = 0, nranks = source->run->nranks;
    for (uint32_t r = 0; r < nranks; r++)
        if (!isnan(seconds[(size_t)vertex * nranks + r]))
            times[n++] = seconds[(size_t)vertex * nranks + r];
    return n;
}

/* [vertex * ranks + rank]; NAN: the rank does not make the call. */
static float *seconds_by_rank(struct sca_workspace *space, const struct sca_task_source *source)
{
    uint32_t nranks = source->run->nranks;
    size_t n = (size_t)source->ppg->nvertices * nranks;
    float *seconds = sca_workspace_alloc(space, n, sizeof *seconds);
    for (size_t i = 0; i < n; i++)
        seconds[i] = NAN;
    for (uint32_t r = 0; r < nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(source->opened, r, SCA_OPEN_SITES);
        for (uint32_t i = 0; rank->present && i < rank->nsites; i++) {
            uint32_t site = rank->sites[i].site;
            uint32_t v =
                site < source->run->profile->nsites ? source->run->site_vertex[site] : SCA_NONE;
            if (v == SCA_NONE || !rank->sites[i].count)
                continue;
            float *at = &seconds[(size_t)v * nranks + r];
            *at = (isnan(*at) ? 0 : *at) + 1e-9F * (float)rank->sites[i].time_ns;
        }
    }
    return seconds;
}

void sca_picture_mark_rank(struct sca_picture *p, const struct sca_task_source *source,
                           uint32_t rank, double ratio)
{
    enum { PART = 100, MOST = 1 << 26 };
    struct sca_workspace scratch = {.out_of_memory = p->space->out_of_memory};
    if ((uint64_t)source->ppg->nvertices * source->run->nranks > MOST)
        return;
    const float *seconds = seconds_by_rank(&scratch, source);
    double *times = sca_workspace_alloc(&scratch, source->run->nranks, sizeof *times);
    for (uint32_t i = 0; i < p->nnodes; i++) {
        struct sca_picture_node *n = &p->nodes[i];
        if (n->figure != SCA_FIGURE_CALL)
            continue;
        double own = seconds[(size_t)n->vertex * source->run->nranks + rank];
        double median = sca_median(times, times_of(source, seconds, n->vertex, times));
        n->abnormal = own > ratio * median && PART * (own - median) > p->groups[n->group].seconds;
    }
    sca_workspace_free(&scratch);
}

/* ---- of all ranks ---- */

static void begin_class(const struct making_picture *d, const struct sca_rank_shapes *shapes,
                        uint32_t shape, const char *role)
{
    uint32_t nranks = d->source->run->nranks, n = 0;
    uint32_t *ranks = sca_workspace_alloc(d->p->space, shapes->members[shape], sizeof *ranks);
    const struct sca_report_run run = {.ranks = nranks};
    char text[SCA_PHRASE];
    for (uint32_t r = 0; r < nranks; r++)
        if (shapes->of[r] == shape)
            ranks[n++] = r;
    const char *numbers = sca_picture_text(d->p, "%s", sca_phrase_numbers(text, ranks, n));
    sca_phrase_ranks(text, &run, ranks, n);
    sca_picture_add_group(d->p, &(struct sca_picture_group){
                                    .name = sca_picture_text(d->p, "graph %u%s%s: %s", shape + 1,
                                                             *role ? ", " : "", role, text),
                                    .ranks = numbers,
                                    .role = role});
}

static struct sca_task_graph *make_graph(const struct making_picture *d,
                                         const struct sca_rank_shapes *shapes, uint32_t shape)
{
    struct sca_task_graph *g = sca_task_graph_begin(d->p->space, d->source);
    for (uint32_t i = 0; i < shapes->members[shape]; i++)
        sca_task_graph_add(g, d->source, shapes->ranks[shape][i]);
    sca_task_graph_finish(g);
    return g;
}

static void add_flows(const struct making_picture *d, const struct sca_rank_shapes *shapes,
                      struct sca_task_graph *const *graphs, const uint32_t *first)
{
    struct sca_shape_flows flows;
    sca_shape_flows_find(d->p->space, d->source, shapes, &flows);
    for (size_t i = 0; i < flows.count; i++) {
        const struct sca_shape_flow *f = &flows.of[i];
        if (f->sum.send != SCA_NONE && f->sum.receive != SCA_NONE) /* an edge has two ends */
            add_message(d, first[f->from] + graphs[f->from]->call_node[f->sum.send],
                        first[f->to] + graphs[f->to]->call_node[f->sum.receive], &f->sum, f->pairs);
    }
}

static void add_collectives(const struct making_picture *d, const struct sca_rank_shapes *shapes,
                            struct sca_task_graph *const *graphs, const uint32_t *first)
{
    struct sca_shape_collectives collectives;
    sca_shape_collectives_find(d->p->space, d->source, shapes, &collectives);
    for (size_t i = 0; i < collectives.count; i++) {
        const struct sca_shape_collective *c = &collectives.of[i];
        uint32_t from = graphs[c->from]->call_node[c->vertex],
                 to = graphs[c->to]->call_node[c->vertex];
        if (c->from == c->to || from == SCA_NONE || to == SCA_NONE)
            continue; /* within a lane there is nothing to be drawn */
        struct sca_picture_edge *e = sca_picture_add_edge(d->p, SCA_LINK_COLLECTIVE,
                                                          first[c->from] + from, first[c->to] + to);
        e->count = c->calls;
        e->bytes = c->bytes;
    }
}

void sca_picture_of_classes(struct sca_workspace *space, const struct sca_task_source *from,
                            struct sca_picture *out)
{
    struct sca_rank_shapes shapes;
    struct sca_rank_peers peers;
    struct sca_task_source source = *from;
    source.summary = sca_rank_summary_of(space, from);
    sca_picture_begin(space, out);
    const struct making_picture d = {out, &source};
    sca_rank_shapes_find(space, &source, &shapes);
    sca_rank_peers_find(space, &source, &peers);
    const enum sca_rank_role *roles = sca_rank_roles_find(space, &source, &peers);
    struct sca_task_graph **graphs = sca_workspace_alloc(space, shapes.n, sizeof *graphs);
    uint32_t *first = sca_workspace_alloc(space, shapes.n, sizeof *first);
    out->title = sca_picture_text(
        out, "%s on %u ranks: parallel task activity graph, %u class%s of ranks",
        from->ppg->program, from->run->nranks, shapes.n, shapes.n == 1 ? "" : "es");
    for (uint32_t i = 0; i < shapes.n; i++) {
        begin_class(&d, &shapes, i, sca_rank_role_name(roles[shapes.first[i]]));
        graphs[i] = make_graph(&d, &shapes, i);
        first[i] = add_graph(&d, graphs[i], i);
    }
    add_flows(&d, &shapes, graphs, first);
    add_collectives(&d, &shapes, graphs, first);
}
