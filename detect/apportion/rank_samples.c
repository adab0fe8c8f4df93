#include "apportion/rank_samples.h"
#include "base/sort.h"
#include "sca_arena.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_own(struct sca_rank_samples *s, const struct sca_weight *weight)
{
    if (sca_arena_grow(&s->own, sizeof *s->own, s->nown, &s->own_capacity))
        return SCA_ENOMEM;
    s->own[s->nown++] = *weight;
    return SCA_OK;
}

static int add_beside(struct sca_rank_samples *s, const struct sca_thread_weight *weight)
{
    if (sca_arena_grow(&s->beside, sizeof *s->beside, s->nbeside, &s->beside_capacity))
        return SCA_ENOMEM;
    s->beside[s->nbeside++] = *weight;
    return SCA_OK;
}

static int collect(struct sca_rank_samples *s, const struct sca_intervals *numbers,
                   const struct sca_rank *r, const uint32_t *node_vertex)
{
    int status = SCA_OK;
    s->nown = s->nbeside = 0;
    for (uint32_t i = 0; i < r->nsamples && !status; i++) {
        const struct sca_part_sample *x = &r->sample[i];
        uint32_t interval = sca_intervals_number(numbers, x->previous, x->next);
        double count = (double)x->count * r->sample_worth;
        if (x->in_mpi || !x->count || interval == SCA_NONE)
            continue;
        if (!sca_intervals_is_of(numbers, x->previous, x->thread))
            status = add_beside(
                s, &(struct sca_thread_weight){interval, x->thread, node_vertex[x->node], count});
        else
            status = add_own(s, &(struct sca_weight){interval, node_vertex[x->node], count, 0});
    }
    return status;
}

static int put_in_order(struct sca_rank_samples *s)
{
    size_t kept = 0;
    if (sca_sort_in_order(s->own, s->nown, sizeof *s->own, sca_sample_pool_order))
        return SCA_ENOMEM;
    for (size_t i = 0; i < s->nown; i++)
        if (kept && !sca_sample_pool_order(&s->own[kept - 1], &s->own[i])) {
            s->own[kept - 1].count += s->own[i].count;
            s->own[kept - 1].beside += s->own[i].beside;
        } else {
            s->own[kept++] = s->own[i];
        }
    s->nown = kept;
    return SCA_OK;
}

/* ---- threads beside the first ---- */

static int by_thread(const void *a, const void *b)
{
    const struct sca_thread_weight *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static int most_first(const void *a, const void *b)
{
    const struct sca_thread_weight *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

/* False: the rank says nothing of waits. */
static bool read_helped(struct sca_rank_samples *s, const struct sca_intervals *numbers,
                        const struct sca_rank *r)
{
    bool any = false;
    memset(s->helped, 0, numbers->n * sizeof *s->helped);
    for (uint32_t i = 0; i < r->nsamples; i++) {
        const struct sca_part_sample *x = &r->sample[i];
        uint32_t interval = x->in_mpi == SCA_SAMPLE_HELPED
                                ? sca_intervals_number(numbers, x->previous, x->next)
                                : SCA_NONE;
        if (interval != SCA_NONE)
            s->helped[interval] += (double)x->length_ns * 1e-9;
        any |= x->in_mpi == SCA_SAMPLE_HELPED;
    }
    return any;
}

struct own_and_beside { /* of an interval */
    struct sca_thread_weight *beside;
    size_t nbeside;
    struct sca_weight *own;
    size_t nown;
    double seconds, helped, period; /* the last: what a count of 1 stands for, seconds */
};

/* Threads, the busiest first, with what each has in all; returns how many. */
static size_t list_threads(const struct own_and_beside *g, struct sca_thread_weight *threads)
{
    size_t n = 0;
    for (size_t i = 0; i < g->nbeside; i++) {
        if (!n || threads[n - 1].thread != g->beside[i].thread)
            threads[n++] =
                (struct sca_thread_weight){g->beside[i].interval, g->beside[i].thread, 0, 0};
        threads[n - 1].count += g->beside[i].count;
    }
    qsort(threads, n, sizeof *threads, most_first);
    return n;
}

static bool is_in(const struct sca_thread_weight *threads, size_t n, uint32_t thread)
{
    for (size_t i = 0; i < n; i++)
        if (threads[i].thread == thread)
            return true;
    return false;
}

static int add_helpers(struct sca_rank_samples *s, const struct own_and_beside *g,
                       struct sca_thread_weight *threads)
{
    size_t n = list_threads(g, threads), used = 0;
    double waited = g->helped / g->period, taken = 0, own = 0;
    int status = SCA_OK;
    while (used < n && (!used || taken < waited))
        taken += threads[used++].count;
    for (size_t i = 0; i < g->nown; i++)
        own += g->own[i].count;
    /* together they say as much as the samples that they are, each its part of the time */
    double all = own + fmin(taken, waited), part = own > 0 ? g->helped / g->seconds : 1;
    for (size_t i = 0; i < g->nown; i++)
        g->own[i].count *= all * (1 - part) / own;
    for (size_t i = 0; i < g->nbeside && !status; i++) {
        double count = g->beside[i].count * all * part / taken;
        if (is_in(threads, used, g->beside[i].thread))
            status = add_own(
                s, &(struct sca_weight){g->beside[i].interval, g->beside[i].vertex, count, count});
    }
    return status;
}

static struct own_and_beside own_and_beside_of(struct sca_rank_samples *s, size_t *at_own,
                                               size_t nown, size_t first)
{
    struct own_and_beside g = {.beside = s->beside + first};
    uint32_t interval = s->beside[first].interval;
    while (first + g.nbeside < s->nbeside && g.beside[g.nbeside].interval == interval)
        g.nbeside++;
    while (*at_own < nown && s->own[*at_own].interval < interval)
        ++*at_own;
    g.own = s->own + *at_own;
    while (*at_own + g.nown < nown && g.own[g.nown].interval == interval)
        g.nown++;
    return g;
}

/* What the first thread's samples do not cover. */
static double guess_helped(const struct own_and_beside *g)
{
    double own = 0;
    for (size_t i = 0; i < g->nown; i++)
        own += g->own[i].count * g->period;
    return fmax(0, g->seconds - own);
}

static int weigh_threads(struct sca_rank_samples *s, const struct sca_rank *r, bool told,
                         const double *seconds, struct sca_thread_weight *threads)
{
    size_t nown = s->nown, at_own = 0;
    double period = (double)r->sample_period_ns * 1e-9 / r->sample_worth;
    int status = SCA_OK;
    for (size_t first = 0; first < s->nbeside && !status;) {
        struct own_and_beside g = own_and_beside_of(s, &at_own, nown, first);
        uint32_t interval = g.beside->interval;
        g.seconds = seconds[interval];
        g.period = period;
        g.helped = fmin(g.seconds, told ? s->helped[interval] : guess_helped(&g));
        if (g.helped > 0)
            status = add_helpers(s, &g, threads);
        first += g.nbeside;
    }
    return status;
}

static int add_threads(struct sca_rank_samples *s, const struct sca_intervals *numbers,
                       const struct sca_rank *r, const double *seconds)
{
    if (!s->helped)
        s->helped = calloc(numbers->n + 1ul, sizeof *s->helped);
    struct sca_thread_weight *threads = calloc(s->nbeside, sizeof *threads);
    int status = s->helped && threads ? SCA_OK : SCA_ENOMEM;
    if (!status)
        status = sca_sort_in_order(s->beside, s->nbeside, sizeof *s->beside, by_thread);
    if (!status)
        status = weigh_threads(s, r, read_helped(s, numbers, r), seconds, threads);
    free(threads);
    return status;
}

int sca_rank_samples_take(struct sca_rank_samples *s, const struct sca_intervals *numbers,
                          const struct sca_rank *r, const uint32_t *node_vertex,
                          const double *seconds)
{
    int status = collect(s, numbers, r, node_vertex);
    if (!status)
        status = put_in_order(s);
    if (status || !s->nbeside)
        return status;
    status = add_threads(s, numbers, r, seconds);
    return status ? status : put_in_order(s);
}

void sca_rank_samples_free(struct sca_rank_samples *s)
{
    free(s->own);
    free(s->beside);
    free(s->helped);
    *s = (struct sca_rank_samples){0};
}
