#include "apportion/first_round.h"
#include "base/degrees.h"
#include "sca_error.h"
#include "stats/same_draw.h"

#include <math.h>
#include <stdlib.h>

struct end { /* of an interval */
    uint32_t site, interval;
};

static int by_site(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

static double apart(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : INFINITY;
}

struct weights { /* of an interval, by vertex */
    const struct sca_pool_weight *at, *end;
};

static struct weights weights_of(const struct sca_pool *pool, uint32_t interval)
{
    return (struct weights){pool->weights + pool->first[interval],
                            pool->weights + pool->first[interval + 1]};
}

static double all_of(struct weights w)
{
    double sum = 0;
    for (; w.at < w.end; w.at++)
        sum += w.at->usual + w.at->unusual[SCA_SHORTER] + w.at->unusual[SCA_LONGER];
    return sum;
}

/* Moves on past the vertex; what is there, or nothing. */
static struct sca_pool_weight take(struct weights *w, uint32_t vertex)
{
    return w->at < w->end && w->at->vertex == vertex ? *w->at++ : (struct sca_pool_weight){0};
}

/* Whether the few samples may be of the same work as the many: usual ranks' of usual ranks',
 * unusual ones' of those. */
static bool may_be_drawn(struct weights few, struct weights many)
{
    struct sca_same_draw usual = {0}, unusual[SCA_UNUSUAL_KINDS] = {{0}};
    while (few.at < few.end || many.at < many.end) {
        bool first = few.at < few.end && (many.at == many.end || few.at->vertex < many.at->vertex);
        uint32_t vertex = first ? few.at->vertex : many.at->vertex;
        struct sca_pool_weight a = take(&few, vertex), b = take(&many, vertex);
        sca_same_draw_add(&usual, a.usual, b.usual);
        for (int kind = 0; kind < SCA_UNUSUAL_KINDS; kind++)
            sca_same_draw_add(&unusual[kind], a.unusual[kind], b.unusual[kind]);
    }
    return sca_same_draw_evidence(&usual) + sca_same_draw_evidence(&unusual[SCA_SHORTER]) +
               sca_same_draw_evidence(&unusual[SCA_LONGER]) >=
           0;
}

/* Of the intervals that lead to the same call, one with more samples, of which its own may be, that
 * usually is as long. */
static uint32_t most_alike(const struct end *ends, uint32_t count, uint32_t interval,
                           const struct sca_pool *pool, const struct sca_typical *typical)
{
    double least = log(1 + SCA_QUARTER);
    struct weights few = weights_of(pool, interval);
    uint32_t found = SCA_NONE;
    for (uint32_t i = 0; i < count; i++) {
        double far = apart(typical->median[ends[i].interval], typical->median[interval]);
        struct weights many = weights_of(pool, ends[i].interval);
        if (far > least || all_of(many) <= all_of(few) || !may_be_drawn(few, many))
            continue;
        least = far;
        found = ends[i].interval;
    }
    return found;
}

int sca_first_round_find(const struct sca_intervals *intervals, const struct sca_pool *pool,
                         const struct sca_typical *typical, uint32_t *out)
{
    struct end *ends = calloc(intervals->n + 1ul, sizeof *ends);
    if (!ends)
        return SCA_ENOMEM;
    for (uint32_t g = 0; g < intervals->n; g++) {
        ends[g] = (struct end){intervals->next[g], g};
        out[g] = SCA_NONE;
    }
    qsort(ends, intervals->n, sizeof *ends, by_site);
    for (uint32_t i = 0, end; i < intervals->n && ends[i].site != SCA_NONE; i = end) {
        for (end = i; end < intervals->n && ends[end].site == ends[i].site;)
            end++;
        for (uint32_t k = i; k < end; k++)
            out[ends[k].interval] = most_alike(ends + i, end - i, ends[k].interval, pool, typical);
    }
    free(ends);
    return SCA_OK;
}

/* A rare interval that takes as long as another. */
bool sca_first_round_is(const struct sca_rank_intervals *g, uint32_t interval, uint32_t of)
{
    if (of == SCA_NONE || g->visits[interval] <= 0 ||
        g->visits[of] < SCA_SEVERAL * g->visits[interval])
        return false;
    return apart(g->seconds[interval] / g->visits[interval], g->seconds[of] / g->visits[of]) <=
           log(1 + SCA_QUARTER);
}
