#include "core_speed.h"

#include <math.h>
#include <stdlib.h>

#define ENOUGH_OTHER 0.1 /* part of a rank's work that must lie elsewhere to judge its core */

static bool inside(const struct sca_within *j, uint32_t v)
{
    for (uint32_t i = 0; i < j->nvertices; i++)
        if (v >= j->vertices[i] && v < j->ends[j->vertices[i]])
            return true;
    return false;
}

static int by_ratio(const void *a, const void *b)
{
    double x = ((const struct sca_weighted *)a)->ratio, y = ((const struct sca_weighted *)b)->ratio;
    return (x > y) - (x < y);
}

double sca_weighted_median(struct sca_weighted *w, uint32_t n, double total)
{
    double sum = 0;
    qsort(w, n, sizeof *w, by_ratio);
    for (uint32_t i = 0; i < n; i++) {
        sum += w[i].weight;
        if (sum * 2 >= total)
            return w[i].ratio;
    }
    return 1;
}

double sca_core_factor(const struct sca_measure *m, uint32_t rank, const struct sca_within *judged,
                       struct sca_weighted *w)
{
    double total = 0;
    uint32_t n = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        double seconds = m->run->comp[(size_t)v * m->nranks + rank], median = m->median[v];
        if (seconds <= SCA_NEVER || median <= SCA_NEVER || inside(judged, v))
            continue;
        w[n++] = (struct sca_weighted){seconds / median, median};
        total += median;
    }
    if (total < ENOUGH_OTHER * m->rank_total[rank])
        return 0;
    return fmin(SCA_MOST_CORE_SPEED, fmax(1, sca_weighted_median(w, n, total)));
}
