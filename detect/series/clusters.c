#include "series/clusters.h"
#include "base/degrees.h"
#include "series/kinds.h"
#include "series/trend.h"
#include "stats/median.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Two times are similar whose ratio is below this, or what neighbours differ by usually, or that
 * differ by less than so much of the iteration. */
static const double similar = 1 + SCA_SUBSTANTIAL;

struct leader {
    uint32_t kind, iterations;
    double span, own, own_max, mpi;
};

static struct leader leader_of(const struct sca_series_point *p, uint32_t kind)
{
    double n = p->iterations;
    return (struct leader){kind,           p->iterations,  p->span / n, p->own.mean / n,
                           p->own.max / n, p->mpi.mean / n};
}

static bool is_similar(double a, double b, double span, double ratio)
{
    return fmax(a, b) <= ratio * fmin(a, b) || fabs(a - b) <= SCA_NEGLIGIBLE * span;
}

/* Kinds of points of different size cannot be compared; most points have the same. */
static bool belongs(const struct leader *l, const struct leader *p, double ratio)
{
    double span = fmax(l->own_max, p->own_max);
    bool same_calls = l->iterations != p->iterations || l->kind == p->kind;
    return same_calls && is_similar(l->own, p->own, span, ratio) &&
           is_similar(l->own_max, p->own_max, span, ratio);
}

/* False: more than there may be. What is one too many joins the last, if it must (`forced`). */
static bool try_ratio(const struct sca_series_point *points, const uint32_t *kinds, uint32_t n,
                      double ratio, bool forced, struct sca_series_clusters *out)
{
    struct leader leaders[SCA_MOST_CLUSTERS];
    out->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct leader p = leader_of(&points[i], kinds[i]);
        uint32_t k = 0;
        while (k < out->n && !belongs(&leaders[k], &p, ratio))
            k++;
        if (k == SCA_MOST_CLUSTERS && !forced)
            return false;
        if (k == SCA_MOST_CLUSTERS)
            k--;
        if (k == out->n)
            leaders[out->n++] = p;
        out->of[i] = (uint8_t)k;
    }
    return true;
}

/* NAN: not known, as long as there is no other. */
static void add_events(const struct sca_series_point *p, struct sca_cluster_events *sums)
{
    for (int k = 0; k < SCA_MAX_METRICS; k++) {
        const struct sca_series_events *e = &p->events[k];
        struct sca_cluster_events *sum = &sums[k];
        if (isnan(e->mean))
            continue;
        double each = e->mean / p->iterations;
        sum->least = sum->iterations ? fmin(sum->least, each) : each;
        sum->most = fmax(sum->most, each);
        sum->iterations += p->iterations;
        sum->mean += e->mean;
        sum->max += e->max;
    }
}

static void end_events(struct sca_cluster_events *sums)
{
    for (int k = 0; k < SCA_MAX_METRICS; k++) {
        struct sca_cluster_events *sum = &sums[k];
        double n = (double)sum->iterations;
        *sum = n > 0 ? (struct sca_cluster_events){sum->iterations, sum->mean / n, sum->max / n,
                                                   sum->least, sum->most}
                     : (struct sca_cluster_events){0, (double)NAN, (double)NAN, (double)NAN,
                                                   (double)NAN};
    }
}

static void fill(const struct sca_series_point *points, uint32_t n, struct sca_series_clusters *out)
{
    memset(out->cluster, 0, sizeof out->cluster);
    for (uint32_t i = 0; i < n; i++) {
        struct sca_series_cluster *c = &out->cluster[out->of[i]];
        c->first = c->npoints++ ? c->first : i;
        c->iterations += points[i].iterations;
        c->span += points[i].span;
        c->own += points[i].own.mean;
        c->own_max += points[i].own.max;
        c->mpi += points[i].mpi.mean;
        c->off += points[i].off_mean;
        add_events(&points[i], c->events);
    }
    for (uint32_t k = 0; k < out->n; k++) {
        struct sca_series_cluster *c = &out->cluster[k];
        double *const of[] = {&c->span, &c->own, &c->own_max, &c->mpi, &c->off};
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            *of[i] /= (double)c->iterations;
        end_events(c->events);
    }
}

/* Greatest total of own time first. */
static void put_in_order(uint32_t n, struct sca_series_clusters *out)
{
    uint8_t order[SCA_MOST_CLUSTERS], place[SCA_MOST_CLUSTERS];
    struct sca_series_cluster before[SCA_MOST_CLUSTERS];
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t k = i;
        double total = out->cluster[i].own * (double)out->cluster[i].iterations;
        for (; k && out->cluster[order[k - 1]].own * (double)out->cluster[order[k - 1]].iterations <
                        total;
             k--)
            order[k] = order[k - 1];
        order[k] = (uint8_t)i;
    }
    memcpy(before, out->cluster, sizeof before);
    for (uint32_t i = 0; i < out->n; i++) {
        out->cluster[i] = before[order[i]];
        place[order[i]] = (uint8_t)i;
    }
    for (uint32_t i = 0; i < n; i++)
        out->of[i] = place[out->of[i]];
}

static double error_of(const struct sca_series_point *points, uint32_t n,
                       const struct sca_series_clusters *out)
{
    double apart = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        double back = out->cluster[out->of[i]].own * points[i].iterations;
        apart += fabs(back - points[i].own.mean);
        all += points[i].own.mean;
    }
    return all > 0 ? apart / all : 0;
}

static double usual_ratio(struct sca_workspace *space, const struct sca_series_point *points,
                          uint32_t n)
{
    double *x = sca_workspace_alloc(space, n, sizeof *x);
    for (uint32_t i = 0; i < n; i++)
        x[i] = points[i].own.max / points[i].iterations;
    double scatter = sca_trend_scatter(space, x, n), median = sca_median(x, n);
    return median > 0 ? fmax(similar, 1 + SCA_SEVERAL * scatter / median) : similar;
}

void sca_series_clusters_find(struct sca_workspace *space, const struct sca_series_point *points,
                              uint32_t n, struct sca_series_clusters *out)
{
    *out = (struct sca_series_clusters){.of = sca_workspace_alloc(space, n, 1)};
    const uint32_t *kinds = sca_series_kinds(space, points, n);
    double ratio = usual_ratio(space, points, n);
    while (!try_ratio(points, kinds, n, ratio, ratio > SCA_MOST_CLUSTERS * SCA_MOST_CLUSTERS, out))
        ratio *= similar;
    fill(points, n, out);
    put_in_order(n, out);
    out->error = error_of(points, n, out);
}
