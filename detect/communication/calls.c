#include "communication/calls.h"

#include <math.h>
#include <string.h>

struct collecting {
    const struct sca_ppg_run *run;
    struct sca_calls *out;
};

/* SCA_NONE: no context is known for the call. */
static uint32_t vertex_of(const struct collecting *c, uint32_t site)
{
    return site < c->run->profile->nsites ? c->run->site_vertex[site] : SCA_NONE;
}

static struct sca_call_sizes *sizes_of(const struct collecting *c, uint32_t site,
                                       enum sca_call_way way)
{
    uint32_t vertex = vertex_of(c, site);
    return vertex == SCA_NONE ? NULL : &c->out->sizes[(size_t)vertex * SCA_CALL_WAYS + way];
}

/* ---- totals ---- */

static void add_sizes(const struct collecting *c, uint32_t site, enum sca_call_way way,
                      uint64_t count, uint64_t bytes)
{
    struct sca_call_sizes *to = sizes_of(c, site, way);
    if (!to || !count)
        return;
    to->messages += (double)count;
    to->bytes += (double)bytes;
    to->by_class[sca_size_class((double)bytes / (double)count)] += (double)count;
}

static void add_peers(const struct collecting *c, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        add_sizes(c, p->site, p->direction == SCA_SENT ? SCA_CALL_SENT : SCA_CALL_RECEIVED,
                  p->count, p->bytes);
    }
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *p = &rank->collectives[i];
        add_sizes(c, p->site, SCA_CALL_COLLECTIVE, p->count, p->bytes);
    }
}

static void add_times(const struct collecting *c, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsites; i++) {
        const struct sca_site_total *s = &rank->sites[i];
        uint32_t vertex = vertex_of(c, s->site);
        if (vertex == SCA_NONE || !s->count)
            continue;
        c->out->times[vertex].calls += (double)s->count;
        c->out->times[vertex].seconds += 1e-9 * (double)s->time_ns;
    }
}

/* fmin() and fmax() take what is known. */
static void add_extremes(const struct collecting *c, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsites; i++) {
        const struct sca_site_total *s = &rank->sites[i];
        uint32_t vertex = vertex_of(c, s->site);
        if (vertex == SCA_NONE || !s->count)
            continue;
        struct sca_call_times *to = &c->out->times[vertex];
        to->shortest = fmin(to->shortest, 1e-9 * (double)s->min_ns);
        to->longest = fmax(to->longest, 1e-9 * (double)s->max_ns);
    }
}

static void add_durations(const struct collecting *c, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->ndurations; i++) {
        const struct sca_durations *d = &rank->durations[i];
        uint32_t vertex = d->previous == SCA_NONE ? vertex_of(c, d->site) : SCA_NONE;
        if (vertex != SCA_NONE && d->count)
            sca_spread_merge(&c->out->times[vertex].counted, (double)d->count,
                             1e-9 * d->total_ns / (double)d->count, 1e-9 * (1e-9 * d->squares));
    }
}

/* ---- one by one ---- */

/* Whether messages are counted by this kind of operation, and how. */
static bool is_counted(const struct sca_op *op, enum sca_call_way *way)
{
    static const int ways[] = {[SCA_OP_SEND] = SCA_CALL_SENT,
                               [SCA_OP_RECV_POST] = -1,
                               [SCA_OP_RECV] = SCA_CALL_RECEIVED,
                               [SCA_OP_SEND_DONE] = -1,
                               [SCA_OP_COLLECTIVE] = SCA_CALL_COLLECTIVE,
                               [SCA_OP_COLLECTIVE_POST] = SCA_CALL_COLLECTIVE,
                               [SCA_OP_COLLECTIVE_DONE] = -1};
    bool known = op->kind < sizeof ways / sizeof *ways && ways[op->kind] >= 0 &&
                 op->tag != SCA_TAG_NEIGHBOUR;
    if (known)
        *way = (enum sca_call_way)ways[op->kind];
    return known;
}

static void add_event(const struct collecting *c, const struct sca_window *w, uint32_t e)
{
    const struct sca_event *event = &w->events[e];
    enum sca_call_way way = SCA_CALL_SENT;
    for (uint32_t i = 0; i < event->nops; i++) {
        const struct sca_op *op = &w->ops[event->first_op + i];
        struct sca_call_sizes *to = is_counted(op, &way) ? sizes_of(c, event->site, way) : NULL;
        if (!to)
            continue;
        sca_spread_add(&to->recorded, (double)op->bytes);
        to->seen_by_class[sca_size_class((double)op->bytes)]++;
    }
    uint32_t vertex = vertex_of(c, event->site);
    if (w->times && vertex != SCA_NONE)
        sca_spread_add(&c->out->times[vertex].recorded,
                       1e-9 * (double)(w->times[e].exit_ns - w->times[e].enter_ns));
}

static void add_windows(const struct collecting *c, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nwindows; i++)
        for (uint32_t e = 0; sca_window_stands(&rank->windows[i]) && e < rank->windows[i].nevents;
             e++)
            add_event(c, &rank->windows[i], e);
}

static void choose_classes(struct sca_call_sizes *s)
{
    if (s->recorded.count > 0 && s->recorded.count >= s->messages)
        memcpy(s->by_class, s->seen_by_class, sizeof s->by_class);
}

void sca_calls_collect(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, const struct sca_profile *whole,
                       struct sca_calls *out)
{
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    const struct collecting c = {run, out};
    out->sizes =
        sca_workspace_alloc(space, (size_t)ppg->nvertices * SCA_CALL_WAYS, sizeof *out->sizes);
    out->times = sca_workspace_alloc(space, ppg->nvertices, sizeof *out->times);
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        out->times[v].shortest = out->times[v].longest = (double)NAN;
    for (uint32_t r = 0; whole && r < whole->nranks; r++)
        if (whole->ranks[r].present) {
            add_extremes(&c, &whole->ranks[r]);
            add_durations(&c, &whole->ranks[r]);
        }
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(
            opened, r, SCA_OPEN_SITES | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES | SCA_OPEN_WINDOWS);
        if (!rank->present)
            continue;
        add_peers(&c, rank);
        add_times(&c, rank);
        add_windows(&c, rank);
    }
    for (size_t i = 0; i < (size_t)ppg->nvertices * SCA_CALL_WAYS; i++)
        choose_classes(&out->sizes[i]);
}
