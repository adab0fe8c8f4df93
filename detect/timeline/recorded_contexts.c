#include "timeline/recorded_contexts.h"

#include <math.h>
#include <stdlib.h>

static struct sca_recorded_context *at_vertex(struct sca_recorded_contexts *a, uint32_t vertex)
{
    if (!a->is_touched[vertex]) {
        a->is_touched[vertex] = true;
        a->touched[a->ntouched++] = vertex;
        a->sum[vertex] = (struct sca_recorded_context){.vertex = vertex};
    }
    return &a->sum[vertex];
}

static void add_here(struct sca_recorded_contexts *a, uint32_t vertex, double seconds)
{
    if (a->here[vertex] <= 0 && seconds > 0)
        a->seen[a->nseen++] = vertex;
    a->here[vertex] += seconds;
}

void sca_recorded_contexts_end_rank(struct sca_recorded_contexts *a)
{
    for (uint32_t i = 0; i < a->nseen; i++) {
        uint32_t v = a->seen[i];
        at_vertex(a, v)->own += a->here[v] / a->nranks;
        a->most[v] = fmax(a->most[v], a->here[v]);
        a->here[v] = 0;
    }
    a->nseen = 0;
}

void sca_recorded_contexts_end_iteration(struct sca_recorded_contexts *a)
{
    for (uint32_t i = 0; i < a->ntouched; i++) {
        a->sum[a->touched[i]].own_max += a->most[a->touched[i]];
        a->most[a->touched[i]] = 0;
    }
}

static uint32_t vertex_of(const struct sca_recorded_contexts *c, uint32_t site)
{
    uint32_t vertex = site < c->run->profile->nsites ? c->run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

struct dividing { /* an instance of an interval on a rank */
    const struct sca_recorded_interval *of;
    const struct sca_recorded_sides *sides; /* what is wanted, */
    double wanted;                          /* seconds of it */
    bool counts;
};

static void give(struct sca_recorded_contexts *c, struct dividing *d, uint32_t vertex,
                 double seconds)
{
    const struct sca_trace_event *call = &d->of->call;
    enum sca_loop_side side = d->of->round
                                  ? sca_loop_side_of(d->of->round, vertex_of(c, call->previous),
                                                     vertex_of(c, call->site), vertex)
                                  : SCA_LOOP_AFTER;
    if (!d->sides->wanted[side])
        return;
    d->wanted += seconds;
    if (d->counts)
        add_here(c, vertex, seconds);
}

static double divide(struct sca_recorded_contexts *c, struct dividing *d)
{
    const struct sca_recorded_interval *of = d->of;
    const struct sca_instance in =
        sca_by_length_divide(&c->by_length, of->rank, of->call, of->seconds);
    for (uint32_t i = 0; i < in.n; i++)
        if (in.seconds[i] > 0)
            give(c, d, in.share[i].vertex, in.seconds[i]);
    if (!in.n)
        give(c, d,
             sca_ppg_vertex_between(c->by_length.ppg, vertex_of(c, of->call.previous),
                                    vertex_of(c, of->call.site)),
             of->seconds);
    return d->wanted;
}

double sca_recorded_contexts_compute(struct sca_recorded_contexts *c,
                                     const struct sca_recorded_interval *interval,
                                     const struct sca_recorded_sides *sides)
{
    return divide(c, &(struct dividing){.of = interval, .sides = sides, .counts = true});
}

double sca_recorded_contexts_seconds(struct sca_recorded_contexts *c,
                                     const struct sca_recorded_interval *interval,
                                     const struct sca_recorded_sides *sides)
{
    return divide(c, &(struct dividing){.of = interval, .sides = sides});
}

void sca_recorded_contexts_call(struct sca_recorded_contexts *c, uint32_t site, double wait)
{
    struct sca_recorded_context *to = at_vertex(c, vertex_of(c, site));
    to->calls += 1 / c->nranks;
    to->wait += wait / c->nranks;
}

static int by_vertex(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t sca_recorded_contexts_take(struct sca_workspace *space, struct sca_recorded_contexts *c,
                                    struct sca_recorded_context **out)
{
    uint32_t n = c->ntouched;
    qsort(c->touched, n, sizeof *c->touched, by_vertex);
    *out = sca_workspace_alloc(space, n, sizeof **out);
    for (uint32_t i = 0; i < n; i++) {
        (*out)[i] = c->sum[c->touched[i]];
        c->is_touched[c->touched[i]] = false;
    }
    c->ntouched = 0;
    return n;
}

void sca_recorded_contexts_open(struct sca_workspace *space, const struct sca_ppg *ppg,
                                const struct sca_ppg_run *run, double nranks,
                                struct sca_recorded_contexts *out)
{
    uint32_t nv = ppg->nvertices;
    *out = (struct sca_recorded_contexts){.run = run, .nranks = nranks};
    out->sum = sca_workspace_alloc(space, nv, sizeof *out->sum);
    out->here = sca_workspace_alloc(space, nv, sizeof *out->here);
    out->most = sca_workspace_alloc(space, nv, sizeof *out->most);
    out->touched = sca_workspace_alloc(space, nv, sizeof *out->touched);
    out->seen = sca_workspace_alloc(space, nv, sizeof *out->seen);
    out->is_touched = sca_workspace_alloc(space, nv, sizeof *out->is_touched);
    sca_by_length_find(space, ppg, run, &out->by_length);
}
