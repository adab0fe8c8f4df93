#include "pictures/picture_performance.h"
#include "activity/task_messages.h"
#include "sca_error.h"

#include <math.h>
#include <string.h>

struct measuring {
    struct sca_picture *p;
    const struct sca_task_source *source;
    double *own, *all;     /* [vertex] seconds of the rank, without and with those below */
    double *count, *bytes; /* [vertex] of MPI calls */
    uint32_t *first;       /* [rank] node */
    uint32_t *node;        /* [vertex] of the rank looked at */
};

static const char *activity_of(uint32_t kind)
{
    return kind == SCA_MPI ? "call" : sca_psg_kind_name(kind);
}

static void measure_rank(struct measuring *m, uint32_t r)
{
    const struct sca_ppg_run *run = m->source->run;
    uint32_t n = m->source->ppg->nvertices;
    const struct sca_rank *rank = sca_rank_open(m->source->opened, r, SCA_OPEN_SITES);
    memset(m->count, 0, n * sizeof *m->count);
    memset(m->bytes, 0, n * sizeof *m->bytes);
    for (uint32_t v = 0; v < n; v++)
        m->own[v] = run->comp[(size_t)v * run->nranks + r];
    for (uint32_t i = 0; rank->present && i < rank->nsites; i++) {
        const struct sca_site_total *s = &rank->sites[i];
        uint32_t v = s->site < run->profile->nsites ? run->site_vertex[s->site] : SCA_NONE;
        if (v == SCA_NONE)
            continue;
        m->own[v] += 1e-9 * (double)s->time_ns;
        m->count[v] += (double)s->count;
        m->bytes[v] += (double)s->bytes;
    }
    memcpy(m->all, m->own, n * sizeof *m->all);
    for (uint32_t v = n; v-- > 1;)
        m->all[m->source->ppg->vertices[v].parent] += m->all[v];
}

static void add_node(struct measuring *m, uint32_t group, uint32_t v)
{
    const struct sca_ppg_vertex *vertex = &m->source->ppg->vertices[v];
    double wall = m->p->groups[group].seconds;
    struct sca_picture_node *n = sca_picture_add_node(m->p, group);
    n->id = n->vertex = v;
    n->place = (struct sca_picture_place){v, 0, 0};
    n->activity = activity_of(vertex->kind);
    n->figure = vertex->kind == SCA_MPI    ? SCA_FIGURE_CALL
                : vertex->kind == SCA_ROOT ? SCA_FIGURE_END
                                           : SCA_FIGURE_PLACE;
    sca_picture_name(m->p, vertex, n);
    if (vertex->kind == SCA_ROOT)
        n->brief = vertex->function;
    else if (vertex->kind != SCA_MPI)
        n->brief =
            sca_picture_text(m->p, "%s %s", *vertex->name ? vertex->name : n->activity, n->brief);
    n->seconds = m->own[v];
    n->share = wall > 0 ? m->own[v] / wall : (double)NAN;
    if (vertex->kind == SCA_MPI) {
        n->count = m->count[v];
        n->bytes = m->bytes[v];
    }
}

static void add_rank(struct measuring *m, uint32_t r)
{
    const struct sca_rank *rank = &m->source->run->profile->ranks[r];
    uint32_t group = sca_picture_add_group(
        m->p, &(struct sca_picture_group){.name = sca_picture_text(m->p, "rank %u", r),
                                          .ranks = sca_picture_text(m->p, "%u", r),
                                          .role = "",
                                          .nranks = 1,
                                          .seconds = 1e-9 * (double)rank->wall_ns});
    m->first[r] = m->p->nnodes;
    measure_rank(m, r);
    for (uint32_t v = 0; v < m->source->ppg->nvertices; v++) {
        if (v && m->all[v] <= 0)
            continue;
        add_node(m, group, v);
        if (v)
            sca_picture_add_edge(m->p, SCA_LINK_ORDER, m->p->nnodes - 2, m->p->nnodes - 1);
    }
}

/* By halves: nodes of a rank rise by their vertices. SCA_NONE: it is not there. */
static uint32_t find_node(const struct measuring *m, uint32_t r, uint32_t vertex)
{
    uint32_t low = m->first[r], high = m->first[r + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->p->nodes[middle].vertex < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->first[r + 1] && m->p->nodes[low].vertex == vertex ? low : SCA_NONE;
}

static void add_pair(struct measuring *m, const struct sca_task_messages *of)
{
    static const char *const known[] = {"exact", "by totals", "seen"};
    for (uint32_t k = 0; k < of->count; k++) {
        const struct sca_task_message *message = &of->of[k];
        if (message->send == SCA_NONE || message->receive == SCA_NONE)
            continue; /* an edge has two ends */
        uint32_t from = find_node(m, message->from, message->send),
                 to = find_node(m, message->to, message->receive);
        if (from == SCA_NONE || to == SCA_NONE)
            continue;
        struct sca_picture_edge *e = sca_picture_add_edge(m->p, SCA_LINK_MESSAGE, from, to);
        e->count = message->messages;
        e->bytes = message->bytes;
        e->shortest = message->shortest;
        e->longest = message->longest;
        e->known = known[message->known];
        e->pairs = 1;
    }
}

static void add_messages(struct measuring *m, uint32_t r)
{
    struct sca_workspace scratch = {.out_of_memory = m->p->space->out_of_memory};
    uint32_t *peers, n = sca_task_messages_peers(&scratch, m->source, r, SCA_RECEIVED, &peers);
    for (uint32_t i = 0; i < n; i++) {
        struct sca_task_messages of;
        sca_task_messages_between(&scratch, m->source, peers[i], r, &of);
        add_pair(m, &of);
    }
    sca_workspace_free(&scratch);
}

int sca_picture_of_performance(struct sca_workspace *space, const struct sca_task_source *source,
                               struct sca_picture *out)
{
    uint32_t n = source->ppg->nvertices, nranks = source->run->nranks;
    if ((uint64_t)n * nranks > SCA_MOST_PICTURE_NODES)
        return sca_fail(SCA_EINVAL,
                        "the performance graph of %u ranks with %u vertices is too large to be "
                        "drawn; classes of ranks (ptag) are fewer",
                        nranks, n);
    struct measuring m = {.p = out, .source = source};
    sca_picture_begin(space, out);
    out->title =
        sca_picture_text(out, "%s on %u ranks: performance graph", source->ppg->program, nranks);
    out->prefix = "r";
    out->first = 0;
    m.own = sca_workspace_alloc(space, n, sizeof *m.own);
    m.all = sca_workspace_alloc(space, n, sizeof *m.all);
    m.count = sca_workspace_alloc(space, n, sizeof *m.count);
    m.bytes = sca_workspace_alloc(space, n, sizeof *m.bytes);
    m.first = sca_workspace_alloc(space, nranks + (size_t)1, sizeof *m.first);
    for (uint32_t r = 0; r < nranks; r++)
        add_rank(&m, r);
    m.first[nranks] = out->nnodes;
    for (uint32_t r = 0; r < nranks; r++)
        add_messages(&m, r);
    return SCA_OK;
}
