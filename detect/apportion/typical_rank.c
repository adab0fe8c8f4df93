#include "apportion/typical_rank.h"
#include "sca_error.h"

#include <stdlib.h>

enum { MOST_ASKED = 256, MANY = 64 /* of them, one more or less hardly moves the median */ };

int sca_typical_rank_open(struct sca_typical *t, uint32_t nintervals, uint32_t nranks)
{
    *t = (struct sca_typical){.nintervals = nintervals,
                              .stride = (nranks + MOST_ASKED - 1) / MOST_ASKED};
    t->stride += !t->stride;
    t->count = calloc(nintervals + 1ul, sizeof *t->count);
    t->per_visit = calloc((nintervals + 1ul) * MOST_ASKED, sizeof *t->per_visit);
    t->median = calloc(nintervals + 1ul, sizeof *t->median);
    return t->count && t->per_visit && t->median ? SCA_OK : SCA_ENOMEM;
}

void sca_typical_rank_add(struct sca_typical *t, const double *seconds, const double *visits)
{
    for (uint32_t s = 0; s < t->nintervals; s++)
        if (seconds[s] > 0 && visits[s] > 0 && t->count[s] < MOST_ASKED)
            t->per_visit[(size_t)s * MOST_ASKED + t->count[s]++] = (float)(seconds[s] / visits[s]);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median without the element at `left_out`, which is past the end if there is none. */
static double median_without(const float *sorted, uint32_t count, uint32_t left_out)
{
    uint32_t n = count - (left_out < count), low = (n - 1) / 2, high = n / 2;
    return ((double)sorted[low + (low >= left_out)] + (double)sorted[high + (high >= left_out)]) /
           2;
}

void sca_typical_rank_close(struct sca_typical *t)
{
    for (uint32_t s = 0; s < t->nintervals; s++) {
        float *sorted = t->per_visit + (size_t)s * MOST_ASKED;
        qsort(sorted, t->count[s], sizeof *sorted, ascending);
        if (t->count[s])
            t->median[s] = median_without(sorted, t->count[s], t->count[s]);
    }
}

void sca_typical_rank_free(struct sca_typical *t)
{
    free(t->count);
    free(t->median);
    free(t->per_visit);
}

double sca_typical_rank_seconds(const struct sca_typical *t, uint32_t interval, double seconds,
                                double visits)
{
    const float *sorted = t->per_visit + (size_t)interval * MOST_ASKED;
    if (t->count[interval] >= MANY && visits > 0)
        return visits * t->median[interval];
    float own = visits > 0 ? (float)(seconds / visits) : 0;
    uint32_t count = t->count[interval];
    const float *found = bsearch(&own, sorted, count, sizeof own, ascending);
    if (count < (found ? 2u : 1u) || visits <= 0)
        return seconds;
    return visits * median_without(sorted, count, found ? (uint32_t)(found - sorted) : count);
}
