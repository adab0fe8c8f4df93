#include "apportion/first_round.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

#define ALIKE 1.25 /* times as long, at most */
#define RARER 4.0  /* times as rare, at least */

struct end { /* of a gap */
    uint32_t site, gap;
};

static int by_site(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->gap > y->gap) - (x->gap < y->gap);
}

static double apart(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : INFINITY;
}

static bool is_sampled(const struct sca_pool *pool, uint32_t gap)
{
    return pool->first[gap] < pool->first[gap + 1];
}

/* Of the gaps that lead to the same call, one with samples that usually is as long. */
static uint32_t most_alike(const struct end *ends, uint32_t count, uint32_t gap,
                           const struct sca_pool *pool, const struct sca_typical *typical)
{
    double least = log(ALIKE);
    uint32_t found = SCA_NONE;
    for (uint32_t i = 0; i < count; i++) {
        double far = apart(typical->median[ends[i].gap], typical->median[gap]);
        if (far > least || !is_sampled(pool, ends[i].gap))
            continue;
        least = far;
        found = ends[i].gap;
    }
    return found;
}

int sca_first_rounds(const struct sca_gaps *gaps, const struct sca_pool *pool,
                     const struct sca_typical *typical, uint32_t *out)
{
    struct end *ends = calloc(gaps->n + 1ul, sizeof *ends);
    if (!ends)
        return SCA_ENOMEM;
    for (uint32_t g = 0; g < gaps->n; g++) {
        ends[g] = (struct end){gaps->next[g], g};
        out[g] = SCA_NONE;
    }
    qsort(ends, gaps->n, sizeof *ends, by_site);
    for (uint32_t i = 0, end; i < gaps->n && ends[i].site != SCA_NONE; i = end) {
        for (end = i; end < gaps->n && ends[end].site == ends[i].site;)
            end++;
        for (uint32_t k = i; k < end; k++)
            if (!is_sampled(pool, ends[k].gap))
                out[ends[k].gap] = most_alike(ends + i, end - i, ends[k].gap, pool, typical);
    }
    free(ends);
    return SCA_OK;
}

bool sca_is_first_round(const struct sca_rank_gaps *g, uint32_t gap, uint32_t of)
{
    if (of == SCA_NONE || g->visits[gap] <= 0 || g->visits[of] < RARER * g->visits[gap])
        return false;
    return apart(g->seconds[gap] / g->visits[gap], g->seconds[of] / g->visits[of]) <= log(ALIKE);
}
