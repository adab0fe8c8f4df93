#include "scaling/exchange_growth.h"
#include "base/degrees.h"
#include "trace/completion.h"
#include "trace/replay_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct exchange_search {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_measure *runs;
    const struct sca_transfers *transfers;
    uint32_t nruns;
    double more_work; /* times: work per rank, where that is told and rises; else 1 */
    double *x, *y;
    bool *taken;
};

static const struct sca_measure *last_of(const struct exchange_search *s)
{
    return &s->runs[s->nruns - 1];
}

/* Ranks that have more to do may send as much more, and as often. */
static double more_work(const struct sca_measure *first, const struct sca_measure *last)
{
    double before = first->run->work / first->nranks, after = last->run->work / last->nranks;
    return before > 0 ? fmax(1, after / before) : 1;
}

/* Slope of log(after / before) over the logarithm of the ranks; of nothing before: none. */
static bool grows(const struct exchange_search *s, double before, double after)
{
    double ranks = (double)last_of(s)->nranks / s->runs[0].nranks;
    /* between the logarithm of a tree and P itself */
    return before > 0 && log(after / (before * s->more_work)) >= SCA_NEARLY_ALL * log(ranks);
}

static bool is_collective(const struct exchange_search *s, uint32_t v)
{
    const struct sca_ppg_run *run = last_of(s)->run;
    for (uint32_t site = 0; site < run->profile->nsites; site++)
        if (run->site_vertex[site] == v)
            return sca_collective_shape(run->profile->sites[site].function) >= 0;
    return false;
}

static const struct sca_transfers *first_transfers(const struct exchange_search *s)
{
    return &s->transfers[0];
}

static const struct sca_transfers *last_transfers(const struct exchange_search *s)
{
    return &s->transfers[s->nruns - 1];
}

static double ratio(double before, double after)
{
    return before > 0 ? after / before : 0;
}

static double more_messages(const struct exchange_search *s, uint32_t v)
{
    return ratio(first_transfers(s)->messages[v], last_transfers(s)->messages[v]);
}

static double more_bytes(const struct exchange_search *s, uint32_t v)
{
    return ratio(first_transfers(s)->bytes[v], last_transfers(s)->bytes[v]);
}

static bool more_calls(const struct exchange_search *s, uint32_t v)
{
    return grows(s, first_transfers(s)->calls[v], last_transfers(s)->calls[v]);
}

static bool is_growing(const struct exchange_search *s, uint32_t v)
{
    double messages = last_transfers(s)->messages[v], bytes = last_transfers(s)->bytes[v];
    if (s->ppg->vertices[v].kind != SCA_MPI || messages <= 0)
        return false;
    /* on two ranks all are at an edge: they have one neighbour where others have two */
    if (s->runs[0].nranks == 2 &&
        fmax(more_bytes(s, v), more_messages(s, v)) < 2 * (1 + SCA_QUARTER) && !is_collective(s, v))
        return false;
    return grows(s, 1, more_bytes(s, v)) ||
           (bytes < SCA_SMALL_BYTES * messages && grows(s, 1, more_messages(s, v)));
}

static uint32_t loop_around(const struct sca_ppg *ppg, uint32_t v)
{
    do
        v = ppg->vertices[v].parent;
    while (v && ppg->vertices[v].kind != SCA_LOOP);
    return v;
}

/* The loop that holds an exchange as a whole: not the one that grows with the ranks. */
static uint32_t home_of(const struct exchange_search *s, uint32_t v)
{
    uint32_t loop = loop_around(s->ppg, v);
    return loop && more_calls(s, v) ? loop_around(s->ppg, loop) : loop;
}

static bool completes(const struct sca_ppg *ppg, uint32_t v)
{
    return sca_completion_is(ppg->vertices[v].name);
}

/* Calls that grow in number belong together if one loop holds them, with the calls that complete
 * what they post; a call that only grows in volume stands for itself. */
static bool belong_together(const struct exchange_search *s, uint32_t a, uint32_t b)
{
    bool loose_a = more_calls(s, a) || completes(s->ppg, a);
    bool loose_b = more_calls(s, b) || completes(s->ppg, b);
    return loose_a && loose_b && home_of(s, a) == home_of(s, b);
}

double *sca_exchange_growth_seconds(struct sca_workspace *space, const struct sca_measure *m,
                                    const struct sca_exchange *e)
{
    bool *in = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *in);
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    for (uint32_t i = 0; i < e->ncalls; i++)
        in[e->calls[i]] = true;
    sca_transfer_seconds(space, m, in, seconds, NULL);
    return seconds;
}

static double seconds_of(const struct exchange_search *s, uint32_t run,
                         const struct sca_exchange *e)
{
    const double *seconds = sca_exchange_growth_seconds(s->space, &s->runs[run], e);
    double most = 0;
    for (uint32_t r = 0; r < s->runs[run].nranks; r++)
        most = fmax(most, seconds[r]);
    return most;
}

/* Mean over the runs with as many ranks. */
static double mean_seconds(const struct exchange_search *s, uint32_t like)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nruns; i++)
        if (s->runs[i].nranks == s->runs[like].nranks) {
            sum += s->y[i];
            n++;
        }
    return sum / n;
}

static void collect(struct exchange_search *s, uint32_t v, struct sca_exchange *e)
{
    e->calls = sca_workspace_alloc(s->space, s->ppg->nvertices, sizeof *e->calls);
    for (uint32_t u = v; u < s->ppg->nvertices; u++)
        if (!s->taken[u] && is_growing(s, u) && (u == v || belong_together(s, v, u))) {
            s->taken[u] = true;
            e->calls[e->ncalls++] = u;
        }
}

/* The loop that calls ever more often, if there is one; else the call that takes longest. */
static void name(const struct exchange_search *s, struct sca_exchange *e)
{
    double most = -1;
    e->vertex = e->calls[0];
    for (uint32_t i = 0; i < e->ncalls; i++) {
        uint32_t v = e->calls[i], loop = loop_around(s->ppg, v);
        bool by_loop = loop && more_calls(s, v);
        double bytes = last_transfers(s)->bytes[v] + (by_loop ? 1e30 : 0);
        if (bytes <= most)
            continue;
        most = bytes;
        e->vertex = by_loop ? loop : v;
    }
}

static void model(struct exchange_search *s, struct sca_exchange *e)
{
    for (uint32_t i = 0; i < s->nruns; i++) {
        s->x[i] = s->runs[i].nranks;
        s->y[i] = seconds_of(s, i, e);
    }
    sca_fit_loglog(s->x, s->y, s->nruns, SCA_QUARTER, &e->fit);
    e->before = mean_seconds(s, 0) * s->more_work;
    e->after = mean_seconds(s, s->nruns - 1);
}

static int by_loss(const void *a, const void *b)
{
    const struct sca_exchange *x = a, *y = b;
    double p = x->after - x->before, q = y->after - y->before;
    return (p < q) - (p > q);
}

void sca_exchange_growth_find(struct sca_workspace *space, const struct sca_measure *runs,
                              const struct sca_transfers *transfers, uint32_t nruns, double least,
                              struct sca_exchanges *out)
{
    *out = (struct sca_exchanges){0};
    for (; nruns && runs->nranks < 2; nruns--) { /* nothing to compare with: alone it is silent */
        runs++;
        transfers++;
    }
    if (!nruns || runs[0].nranks == runs[nruns - 1].nranks)
        return;
    struct exchange_search s = {
        .space = space, .ppg = runs[0].ppg, .runs = runs, .transfers = transfers};
    uint32_t nv = s.ppg->nvertices;
    s.nruns = nruns;
    s.more_work = more_work(&runs[0], &runs[nruns - 1]);
    s.x = sca_workspace_alloc(space, nruns, sizeof *s.x);
    s.y = sca_workspace_alloc(space, nruns, sizeof *s.y);
    s.taken = sca_workspace_alloc(space, nv, sizeof *s.taken);
    out->items = sca_workspace_alloc(space, nv, sizeof *out->items);
    for (uint32_t v = 1; v < nv; v++) {
        struct sca_exchange *e = &out->items[out->count];
        if (s.taken[v] || !is_growing(&s, v))
            continue;
        *e = (struct sca_exchange){0};
        collect(&s, v, e);
        name(&s, e);
        model(&s, e);
        out->count += (e->after - e->before) * runs[nruns - 1].nranks >= least;
    }
    sca_workspace_put_in_order(space, out->items, out->count, sizeof *out->items, by_loss);
}

double *sca_exchange_growth_per_call(struct sca_workspace *space, const struct sca_measure *m,
                                     const struct sca_exchanges *exchanges)
{
    size_t cells = (size_t)m->nranks * m->run->profile->nsites;
    if (!exchanges->count)
        return NULL;
    bool *in = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *in);
    double *per_call = sca_workspace_alloc(space, cells, sizeof *per_call);
    for (uint32_t i = 0; i < exchanges->count; i++)
        for (uint32_t k = 0; k < exchanges->items[i].ncalls; k++)
            in[exchanges->items[i].calls[k]] = true;
    sca_transfer_seconds(space, m, in, sca_workspace_alloc(space, m->nranks, sizeof(double)),
                         per_call);
    return per_call;
}

static void add_exchange(struct sca_workspace *space, const struct sca_measure *m,
                         const struct sca_exchange *e, struct sca_ledger *out)
{
    struct sca_finding c = {
        .vertex = e->vertex, .category = SCA_CAUSE_COMMUNICATION, .transform.alike = true};
    double left = e->after > 0 ? fmin(1, e->before / e->after) : 1;
    c.transform.error = left < 1 ? SCA_QUARTER / (1 - left) : 0;
    c.nvertices = e->ncalls;
    c.vertices = e->calls;
    c.ranks = sca_workspace_alloc(space, m->nranks, sizeof *c.ranks);
    c.transform.factor = sca_workspace_alloc(space, m->nranks, sizeof *c.transform.factor);
    const double *seconds = sca_exchange_growth_seconds(space, m, e);
    for (uint32_t r = 0; r < m->nranks; r++) {
        c.transform.factor[r] = left;
        c.excess += seconds[r] * (1 - left);
        if (seconds[r] >= SCA_HALF * e->after)
            c.ranks[c.nranks++] = r;
    }
    sca_finding_add_evidence(space, &c,
                             (struct sca_evidence){SCA_EVIDENCE_EXCHANGE, 0, e->before, e->after});
    if (c.nranks)
        sca_ledger_append(out, &c);
}

void sca_exchange_growth_add(struct sca_workspace *space, const struct sca_measure *largest,
                             const struct sca_exchanges *exchanges, struct sca_ledger *out)
{
    for (uint32_t i = 0; i < exchanges->count; i++)
        add_exchange(space, largest, &exchanges->items[i], out);
}
