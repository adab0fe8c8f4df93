#include "apportion/shares.h"
#include "sca_arena.h"
#include "apportion/blocked_places.h"
#include "apportion/posterior.h"
#include "sca_error.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Vertices of the pool that the rank itself never saw and that would get less are left out. */
#define LEAST_SHARE 0.002

struct spread {
    const struct sca_ppg *ppg;
    struct sca_ppg_run *run;
    struct sca_rank_intervals *intervals;
    const struct sca_pool *pool;
    struct sca_opened *opened;
    struct sca_divider *divider;
    struct sca_blocked_places blocked;      /* the rank's */
    uint32_t rank;                          /* the one at hand */
    const struct sca_part_interval **order; /* its, by interval */
    struct sca_ppg_share *shares;
    size_t nshares, capacity;
};

static int add_share(struct spread *p, uint32_t vertex, double seconds, double samples)
{
    if (sca_arena_grow(&p->shares, sizeof *p->shares, p->nshares, &p->capacity))
        return SCA_ENOMEM;
    p->shares[p->nshares++] = (struct sca_ppg_share){vertex, (float)samples, seconds};
    return SCA_OK;
}

/* Weights become seconds; the greatest share takes what rounding leaves, so that the sum is the
 * interval's time. */
static void settle(struct sca_ppg_share *shares, size_t count, double seconds)
{
    double weight = 0, given = 0;
    size_t greatest = 0;
    for (size_t i = 0; i < count; i++) {
        weight += shares[i].seconds;
        greatest = shares[i].seconds > shares[greatest].seconds ? i : greatest;
    }
    for (size_t i = 0; i < count; i++)
        given += shares[i].seconds *= seconds / weight;
    shares[greatest].seconds += seconds - given;
}

/* The rank's samples in the interval. */
static const struct sca_weight *samples_of(const struct sca_rank_intervals *g, uint32_t interval,
                                           size_t *count)
{
    size_t low = 0, high = g->samples.nown;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->samples.own[middle].interval < interval)
            low = middle + 1;
        else
            high = middle;
    }
    bool any = low < g->samples.nown && g->samples.own[low].interval == interval;
    *count = any ? sca_sample_pool_of_interval(g->samples.own, low, g->samples.nown) - low : 0;
    return g->samples.own + low;
}

static struct sca_segment segment_of(const struct spread *p, uint32_t interval)
{
    const struct sca_rank_intervals *g = p->intervals;
    size_t nown;
    const struct sca_weight *own = samples_of(g, interval, &nown);
    return (struct sca_segment){.interval = interval,
                                .own = own,
                                .nown = nown,
                                .seconds = g->seconds[interval],
                                .usual = sca_rank_intervals_usual(g, interval),
                                .unusual = g->unusual[interval]};
}

struct own_samples { /* of a rank in an interval, by vertex */
    const struct sca_weight *own;
    size_t n;
};

/* Those at the vertex, NULL: there are none. Asked of rising vertices. */
static const struct sca_weight *samples_at(struct own_samples *s, uint32_t vertex)
{
    for (; s->n && s->own->vertex <= vertex; s->own++, s->n--)
        if (s->own->vertex == vertex)
            return s->own;
    return NULL;
}

/* What the first thread waited for others is theirs, and in comp. */
static void take_from_beside(struct spread *p, const struct own_samples *own,
                             const struct sca_ppg_share *shares, size_t n)
{
    double count = 0, beside = 0;
    for (size_t i = 0; i < own->n; i++) {
        count += own->own[i].count;
        beside += own->own[i].beside;
    }
    for (size_t i = 0; i < n && beside > 0; i++) {
        struct own_samples rest = *own;
        const struct sca_weight *at = samples_at(&rest, shares[i].vertex);
        double part = at ? at->beside / at->count : beside / count;
        p->run->beside[(size_t)shares[i].vertex * p->run->nranks + p->rank] -=
            part * shares[i].seconds;
    }
}

static int spread_by_samples(struct spread *p, uint32_t interval)
{
    const struct sca_segment segment = segment_of(p, interval);
    const double *part = sca_posterior_divide(p->divider, &segment);
    const struct own_samples all = {segment.own, segment.nown};
    struct own_samples own = all;
    bool any = own.n > 0;
    size_t first = p->nshares, begin = p->pool->first[interval];
    int status = SCA_OK;
    for (size_t i = begin; !status && i < p->pool->first[interval + 1]; i++) {
        uint32_t vertex = p->pool->weights[i].vertex;
        const struct sca_weight *at = samples_at(&own, vertex);
        double share = part[i - begin], count = at ? at->count : 0;
        if (count > 0 || share >= LEAST_SHARE || !any)
            status = add_share(p, vertex, share, count);
    }
    if (!status)
        settle(p->shares + first, p->nshares - first, p->intervals->seconds[interval]);
    if (!status)
        take_from_beside(p, &all, p->shares + first, p->nshares - first);
    return status;
}

/* Nobody was sampled there, or nobody can be, off the core: the place itself says between which
 * vertices it happened. */
static uint32_t between(const struct spread *p, const struct sca_part_interval *interval)
{
    const uint32_t *vertex = p->run->site_vertex;
    uint32_t to = vertex[interval->site] == SCA_NONE ? 0 : vertex[interval->site];
    return sca_ppg_vertex_between(p->ppg, vertex[interval->previous], to);
}

static int by_previous(const void *a, const void *b)
{
    const struct sca_part_interval *const *x = a, *const *y = b;
    if ((*x)->previous != (*y)->previous)
        return (*x)->previous < (*y)->previous ? -1 : 1;
    return (*x)->site<(*y)->site ? -1 : (*x)->site>(*y)->site;
}

static int by_vertex(const void *a, const void *b)
{
    const struct sca_ppg_share *x = a, *y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* What several intervals have of a vertex is one share. */
static int join_equal(struct spread *p, size_t first)
{
    size_t last = first, count = p->nshares - first;
    if (!count)
        return SCA_OK;
    if (sca_sort_in_order(p->shares + first, count, sizeof *p->shares, by_vertex))
        return SCA_ENOMEM;
    for (size_t i = first + 1; i < p->nshares; i++) {
        struct sca_ppg_share *kept = &p->shares[last], *share = &p->shares[i];
        if (kept->vertex == share->vertex) {
            kept->seconds += share->seconds;
            kept->samples += share->samples;
        } else {
            p->shares[++last] = *share;
        }
    }
    p->nshares = last + 1;
    return SCA_OK;
}

static int add_blocked(struct spread *p, uint32_t vertex, double seconds)
{
    p->run->blocked[(size_t)vertex * p->run->nranks + p->rank] += seconds;
    return add_share(p, vertex, seconds, 0);
}

/* What of that was blocked at places that are known. `part`: of all that was. */
static int spread_blocked(struct spread *p, uint32_t interval, double seconds, double *part)
{
    size_t n;
    const struct sca_blocked_place *place = sca_blocked_places_in(&p->blocked, interval, &n);
    double known = 0;
    int status = SCA_OK;
    for (size_t i = 0; i < n; i++)
        known += place[i].seconds;
    *part = known > seconds ? 1 : seconds > 0 ? known / seconds : 0;
    for (size_t i = 0; i < n && !status && seconds > 0; i++)
        status = add_blocked(p, place[i].vertex, place[i].seconds / known * *part * seconds);
    return status;
}

static double blocked_in(const struct sca_part_interval *const *intervals, size_t count)
{
    double seconds = 0;
    for (size_t i = 0; i < count; i++)
        seconds += (double)intervals[i]->blocked_ns * 1e-9;
    return seconds;
}

/* All intervals of one rank in one interval. */
static int spread_interval(struct spread *p, uint32_t interval,
                           const struct sca_part_interval *const *intervals, size_t count)
{
    size_t first = p->nshares;
    double known;
    int status = spread_blocked(p, interval, blocked_in(intervals, count), &known);
    bool by_samples = p->pool->first[interval] < p->pool->first[interval + 1] &&
                      p->intervals->seconds[interval] > 0;
    if (by_samples && !status)
        status = spread_by_samples(p, interval);
    for (size_t i = 0; !status && i < count; i++) {
        double blocked = (double)intervals[i]->blocked_ns * 1e-9 * (1 - known);
        double computed = by_samples ? 0 : (double)intervals[i]->cpu_ns * 1e-9;
        if (blocked > 0)
            status = add_blocked(p, between(p, intervals[i]), blocked);
        if (computed > 0 && !status)
            status = add_share(p, between(p, intervals[i]), computed, 0);
    }
    return status ? status : join_equal(p, first);
}

static uint32_t interval_of(const struct spread *p, const struct sca_part_interval *interval)
{
    return sca_intervals_number(p->intervals->numbers, interval->previous, interval->site);
}

static int put_in_order(struct spread *p, const struct sca_rank *r)
{
    for (uint32_t i = 0; i < r->nintervals; i++)
        p->order[i] = &r->intervals[i];
    return sca_sort_in_order(p->order, r->nintervals, sizeof *p->order, by_previous);
}

static int spread_rank(struct spread *p, uint32_t rank)
{
    const struct sca_rank *r =
        sca_rank_open(p->opened, rank, SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES);
    uint32_t nintervals = p->run->intervals.n, number = 0;
    uint32_t *first = p->run->first_share + (size_t)rank * nintervals;
    size_t from = p->nshares;
    p->rank = rank;
    int status = sca_rank_intervals_take(p->intervals, r, p->run->node_vertex);
    if (!status)
        status = put_in_order(p, r);
    if (!status)
        status = sca_blocked_places_take(&p->blocked, p->run, r);
    for (uint32_t i = 0, end; !status && i < r->nintervals; i = end) {
        uint32_t interval = interval_of(p, p->order[i]);
        for (end = i; end < r->nintervals && interval_of(p, p->order[end]) == interval;)
            end++;
        while (number <= interval)
            first[number++] = (uint32_t)p->nshares;
        status = spread_interval(p, interval, p->order + i, end - i);
    }
    while (number < nintervals)
        first[number++] = (uint32_t)p->nshares;
    for (size_t i = from; i < p->nshares; i++)
        p->run->comp[(size_t)p->shares[i].vertex * p->run->nranks + rank] += p->shares[i].seconds;
    return status;
}

static int spread_all(struct spread *p)
{
    const struct sca_profile *profile = p->run->profile;
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < profile->nranks; r++)
        status = spread_rank(p, r);
    if (status || p->nshares > UINT32_MAX)
        return SCA_ENOMEM;
    p->run->first_share[(size_t)profile->nranks * p->run->intervals.n] = (uint32_t)p->nshares;
    p->run->shares = p->shares; /* too many to copy */
    return SCA_OK;
}

int sca_shares_build(const struct sca_ppg *ppg, struct sca_ppg_run *run,
                     struct sca_rank_intervals *intervals, const struct sca_pool *pool,
                     struct sca_opened *opened)
{
    struct spread p = {
        .ppg = ppg, .run = run, .intervals = intervals, .pool = pool, .opened = opened};
    size_t most = 1;
    for (uint32_t r = 0; r < run->nranks; r++)
        most = run->profile->ranks[r].nintervals > most ? run->profile->ranks[r].nintervals : most;
    p.order = calloc(most, sizeof *p.order);
    p.divider = sca_posterior_open(pool, ppg);
    int status = p.order && p.divider ? SCA_OK : SCA_ENOMEM;
    if (!status)
        status = sca_blocked_places_open(&p.blocked, run);
    if (!status)
        status = spread_all(&p);
    if (status)
        free(p.shares);
    sca_blocked_places_free(&p.blocked);
    sca_posterior_close(p.divider);
    free(p.order);
    return status;
}
