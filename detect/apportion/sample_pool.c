#include "apportion/sample_pool.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct sca_pooled {
    uint64_t key; /* interval, vertex */
    struct sca_pool_weight weight;
    double all, squares; /* not scaled, of usual ranks; squares over what each has there */
    UT_hash_handle hh;
};

static struct sca_pooled *find_or_add(struct sca_pool *b, uint32_t interval, uint32_t vertex)
{
    uint64_t key = (uint64_t)interval << 32 | vertex;
    struct sca_pooled *found;
    HASH_FIND(hh, b->pooled, &key, sizeof key, found);
    if (found)
        return found;
    found = calloc(1, sizeof *found);
    if (!found)
        return NULL;
    found->key = key;
    found->weight = (struct sca_pool_weight){.interval = interval, .vertex = vertex};
    HASH_ADD(hh, b->pooled, key, sizeof key, found);
    if (found->hh.tbl)
        return found;
    free(found);
    return NULL;
}

/* `total` is what the rank has in the interval. */
static int add_pooled(struct sca_pool *b, const struct sca_weight *w, double total, double unusual)
{
    struct sca_pooled *found = find_or_add(b, w->interval, w->vertex);
    double count = w->count * sca_sample_pool_scale(total);
    if (!found)
        return SCA_ENOMEM;
    found->weight.usual += count * (1 - fabs(unusual));
    if (!sca_sample_pool_is_usual(unusual)) {
        found->weight.unusual[unusual > 0 ? SCA_LONGER : SCA_SHORTER] += count;
    } else {
        found->all += w->count;
        found->squares += w->count * w->count / total;
    }
    return SCA_OK;
}

int sca_sample_pool_open(struct sca_pool *pool, uint32_t nintervals)
{
    *pool = (struct sca_pool){.nintervals = nintervals};
    pool->alike = calloc(nintervals + 1ul, sizeof *pool->alike);
    pool->sampled = calloc(nintervals + 1ul, sizeof *pool->sampled);
    pool->samples = calloc(nintervals + 1ul, sizeof *pool->samples);
    return pool->alike && pool->sampled && pool->samples ? SCA_OK : SCA_ENOMEM;
}

int sca_sample_pool_order(const void *a, const void *b)
{
    const struct sca_weight *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

size_t sca_sample_pool_of_interval(const struct sca_weight *list, size_t first, size_t count)
{
    size_t end = first;
    while (end < count && list[end].interval == list[first].interval)
        end++;
    return end;
}

double sca_sample_pool_sum(const struct sca_weight *list, size_t first, size_t end)
{
    double total = 0;
    for (size_t i = first; i < end; i++)
        total += list[i].count;
    return total;
}

bool sca_sample_pool_is_usual(double unusual)
{
    return 1 - fabs(unusual) >= SCA_HALF;
}

/* No rank says more than enough samples do: a slow rank has many. */
double sca_sample_pool_scale(double samples)
{
    return samples > SCA_ENOUGH_SAMPLES ? SCA_ENOUGH_SAMPLES / samples : 1;
}

int sca_sample_pool_add(struct sca_pool *pool, const struct sca_weight *own, size_t n,
                        const double *unusual)
{
    int status = SCA_OK;
    for (size_t first = 0, end; !status && first < n; first = end) {
        end = sca_sample_pool_of_interval(own, first, n);
        double total = sca_sample_pool_sum(own, first, end),
               of_interval = unusual[own[first].interval];
        for (size_t i = first; !status && i < end; i++)
            status = add_pooled(pool, &own[i], total, of_interval);
        pool->samples[own[first].interval] += total;
        pool->sampled[own[first].interval] += sca_sample_pool_is_usual(of_interval);
    }
    return status;
}

int sca_sample_pool_imagine(struct sca_pool *pool, uint32_t interval,
                            const struct sca_pool_weight *weight, double scale)
{
    struct sca_pooled *found = find_or_add(pool, interval, weight->vertex);
    if (!found)
        return SCA_ENOMEM;
    found->weight.usual += weight->usual * scale;
    for (int kind = 0; kind < SCA_UNUSUAL_KINDS; kind++)
        found->weight.unusual[kind] += weight->unusual[kind] * scale;
    return SCA_OK;
}

/*
 * How alike the ranks are in what they do in an interval: the concentration of a
 * Dirichlet-multinomial distribution by the method of moments, from Pearson's statistic over its
 * degrees of freedom (Mosimann 1962). `chi2` is that statistic, of `all` samples of `ranks` ranks
 * at `places` vertices. Bounded, for it is estimated from few ranks.
 */
static double concentration(double chi2, double all, double ranks, double places)
{
    double freedom = (ranks - 1) * (places - 1), mean = ranks > 0 ? all / ranks : 0;
    double spread = freedom > 0 ? chi2 / freedom : 1;
    double alike = spread > 1 ? (mean - spread) / (spread - 1) : SCA_MANY_SAMPLES;
    return alike < SCA_TWICE ? SCA_TWICE : alike > SCA_MANY_SAMPLES ? SCA_MANY_SAMPLES : alike;
}

static void judge_intervals(struct sca_pool *b)
{
    uint32_t nintervals = b->nintervals;
    double *all = calloc(nintervals + 1ul, sizeof *all),
           *ratio = calloc(nintervals + 1ul, sizeof *ratio);
    double *places = calloc(nintervals + 1ul, sizeof *places);
    struct sca_pooled *p, *next;
    HASH_ITER(hh, b->pooled, p, next)
    {
        uint32_t interval = (uint32_t)(p->key >> 32);
        if (!all || !ratio || !places)
            break;
        all[interval] += p->all;
        ratio[interval] += p->all > 0 ? p->squares / p->all : 0;
        places[interval] += p->all > 0;
    }
    for (uint32_t s = 0; all && ratio && places && s < nintervals; s++)
        b->alike[s] = concentration(all[s] * (ratio[s] - 1), all[s], b->sampled[s], places[s]);
    free(all);
    free(ratio);
    free(places);
}

static int by_interval(const void *a, const void *b)
{
    const struct sca_pool_weight *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

int sca_sample_pool_close(struct sca_pool *b)
{
    size_t count = HASH_COUNT(b->pooled), nintervals = b->nintervals, n = 0;
    struct sca_pooled *p, *next;
    free(b->weights);
    free(b->first);
    b->weights = calloc(count + 1, sizeof *b->weights);
    b->first = calloc(nintervals + 1, sizeof *b->first);
    if (!b->weights || !b->first)
        return SCA_ENOMEM;
    judge_intervals(b);
    HASH_ITER(hh, b->pooled, p, next)
    b->weights[n++] = p->weight;
    qsort(b->weights, n, sizeof *b->weights, by_interval);
    for (size_t s = 0, first = 0; s < nintervals; s++) {
        b->first[s] = first;
        while (first < n && b->weights[first].interval == s)
            first++;
    }
    b->first[nintervals] = n;
    return SCA_OK;
}

void sca_sample_pool_free(struct sca_pool *pool)
{
    struct sca_pooled *p, *next;
    HASH_ITER(hh, pool->pooled, p, next)
    {
        HASH_DEL(pool->pooled, p);
        free(p);
    }
    free(pool->weights);
    free(pool->first);
    free(pool->alike);
    free(pool->sampled);
    free(pool->samples);
}
