#include "apportion/first_round.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

#define ALIKE 1.25 /* times as long, at most */
#define RARER 4.0  /* times as rare, at least */

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

static bool is_sampled(const struct sca_pool *pool, uint32_t interval)
{
    return pool->first[interval] < pool->first[interval + 1];
}

/* Of the intervals that lead to the same call, one with samples that usually is as long. */
static uint32_t most_alike(const struct end *ends, uint32_t count, uint32_t interval,
                           const struct sca_pool *pool, const struct sca_typical *typical)
{
    double least = log(ALIKE);
    uint32_t found = SCA_NONE;
    for (uint32_t i = 0; i < count; i++) {
        double far = apart(typical->median[ends[i].interval], typical->median[interval]);
        if (far > least || !is_sampled(pool, ends[i].interval))
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
            if (!is_sampled(pool, ends[k].interval))
                out[ends[k].interval] =
                    most_alike(ends + i, end - i, ends[k].interval, pool, typical);
    }
    free(ends);
    return SCA_OK;
}

bool sca_first_round_is(const struct sca_rank_intervals *g, uint32_t interval, uint32_t of)
{
    if (of == SCA_NONE || g->visits[interval] <= 0 || g->visits[of] < RARER * g->visits[interval])
        return false;
    return apart(g->seconds[interval] / g->visits[interval], g->seconds[of] / g->visits[of]) <=
           log(ALIKE);
}
