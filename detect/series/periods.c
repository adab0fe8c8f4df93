#include "series/periods.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>

static const double certain = SCA_FALSE_ALARMS * SCA_FALSE_ALARMS; /* as in trend.c */
static const double least_ratio = 1 + SCA_SUBSTANTIAL;

enum { OTHER, RECURS, LEADING };

/* What is looked through. `order`: places of the numbers when sorted, equal ones share theirs. */
struct looked {
    const double *x;
    double *order, *side; /* side: room for one of two sides */
    uint8_t *is;          /* of the enumeration above */
    uint32_t n, others;   /* others: of that kind */
};

struct by_size {
    double x;
    uint32_t at;
};

static int compare(const void *a, const void *b)
{
    const struct by_size *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Of those that nothing explains yet. */
static void put_in_order(struct sca_workspace *space, struct looked *l)
{
    struct by_size *list = sca_workspace_alloc(space, l->n, sizeof *list);
    l->others = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->is[i] == OTHER)
            list[l->others++] = (struct by_size){l->x[i], i};
    sca_workspace_put_in_order(space, list, l->others, sizeof *list, compare);
    for (uint32_t i = 0, end; i < l->others; i = end) {
        for (end = i + 1; end < l->others && list[end].x == list[i].x; end++)
            ;
        for (uint32_t k = i; k < end; k++)
            l->order[list[k].at] = (i + end - 1) / 2.0;
    }
}

/* A period as it is weighed. */
struct weighed {
    uint32_t period, phase;
    uint32_t places, hits; /* hits: not explained already */
    double below;          /* pairs of a hit and one of the others that is above it */
    double sigmas;         /* how much fewer these are than by chance */
};

static struct weighed weigh(const struct looked *l, uint32_t period, uint32_t phase)
{
    struct weighed w = {.period = period, .phase = phase};
    double sum = 0;
    for (uint32_t i = phase; i < l->n; i += period) {
        w.places += l->is[i] != LEADING;
        if (l->is[i] != OTHER)
            continue;
        sum += l->order[i];
        w.hits++;
    }
    double k = w.hits, rest = l->others - k;
    w.below = k * l->others - k * (k + 1) / 2 - sum;
    w.sigmas = (k * rest / 2 - w.below) / sqrt(k * rest * (l->others + 1.0) / 12);
    return w;
}

/* Logarithm of a bound on the probability of so few pairs (Chernoff), by their generating function,
 * which is Gauss's binomial coefficient. */
static double log_bound(const struct weighed *w, uint32_t others, double t)
{
    double log_p = t * w->below;
    uint32_t rest = others - w->hits;
    for (uint32_t i = 1; i <= w->hits; i++)
        log_p += log(expm1(-t * (rest + i)) / expm1(-t * i)) - log((rest + (double)i) / i);
    return log_p;
}

/* The best such bound: the sum is convex in t. */
static double log_chance(const struct weighed *w, uint32_t others)
{
    double low = 1e-9, high = 64; /* of t: nothing is bounded; all are above all others */
    for (int i = 0; i < 64; i++) {
        double a = cbrt(low * low * high), b = cbrt(low * high * high);
        bool falls = log_bound(w, others, a) > log_bound(w, others, b);
        *(falls ? &low : &high) = falls ? a : b;
    }
    return log_bound(w, others, low);
}

static bool is_place(const struct weighed *w, uint32_t i)
{
    return i >= w->phase && (i - w->phase) % w->period == 0;
}

/* The numbers of one side, in room of their own. */
static uint32_t take_side(const struct looked *l, const struct weighed *w, bool places)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->is[i] == OTHER && is_place(w, i) == places)
            l->side[n++] = l->x[i];
    return n;
}

/* Those that are explained already are above the others, too. */
static bool stands_out(const struct looked *l, const struct weighed *w)
{
    uint32_t n = take_side(l, w, false), above = w->places - w->hits;
    double limit = sca_median_select(l->side, n, (uint32_t)(SCA_MOST * (n - 1)));
    n = take_side(l, w, true);
    for (uint32_t i = 0; i < n; i++)
        above += l->side[i] > limit;
    return above >= SCA_NEARLY_ALL * w->places;
}

/* The one that chance would make least. */
static struct weighed best_of(const struct looked *l)
{
    struct weighed best = {.sigmas = 0};
    for (uint32_t period = 2; period <= l->n / SCA_SEVERAL; period++)
        for (uint32_t phase = 0; phase < period; phase++) {
            struct weighed w = weigh(l, period, phase);
            if (w.hits >= SCA_SEVERAL && w.hits < l->others && w.sigmas > best.sigmas)
                best = w;
        }
    return best;
}

static bool may_be_chance(const struct looked *l, const struct weighed *w)
{
    double most = l->n / SCA_SEVERAL, choices = most * (most + 1) / 2;
    return log_chance(w, l->others) + log(choices) > log(certain);
}

static struct sca_trend_period period_of(const struct looked *l, const struct weighed *w)
{
    double usual = sca_median(l->side, take_side(l, w, false));
    double there = sca_median(l->side, take_side(l, w, true));
    return (struct sca_trend_period){w->period, w->phase, usual > 0 ? there / usual : 1};
}

static void explain(const struct looked *l, const struct weighed *w)
{
    for (uint32_t i = w->phase; i < l->n; i += w->period)
        if (l->is[i] == OTHER)
            l->is[i] = RECURS;
}

struct sca_trend_periods sca_trend_periods(struct sca_workspace *space, const double *x, uint32_t n,
                                           uint32_t leading)
{
    struct sca_trend_periods out = {.recurs = sca_workspace_alloc(space, n, 1)};
    struct looked l = {.x = x,
                       .order = sca_workspace_alloc(space, n, sizeof *l.order),
                       .side = sca_workspace_alloc(space, n, sizeof *l.side),
                       .is = sca_workspace_alloc(space, n, 1),
                       .n = n};
    for (uint32_t i = 0; i < leading; i++)
        l.is[i] = LEADING;
    for (uint32_t i = 0; i < SCA_TREND_PERIODS; i++) {
        put_in_order(space, &l);
        const struct weighed best = best_of(&l);
        if (!best.period || may_be_chance(&l, &best))
            break;
        out.period[out.n] = period_of(&l, &best);
        out.n += stands_out(&l, &best) && out.period[out.n].ratio >= least_ratio;
        explain(&l, &best);
    }
    for (uint32_t i = 0; i < n; i++)
        out.recurs[i] = l.is[i] == RECURS;
    return out;
}
