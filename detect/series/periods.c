#include "series/periods.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>

static const double certain = SCA_FALSE_ALARMS * SCA_FALSE_ALARMS; /* as in trend.c */
static const double least_ratio = 1 + SCA_SUBSTANTIAL;
/* A point that holds one iteration more than so many of a kind takes less than this ratio more. */
static const uint32_t most_in_a_point = (uint32_t)(1 / SCA_SUBSTANTIAL);

enum { OTHER, RECURS, LEADING };

/* What is looked through. `order`: places of the numbers when sorted, equal ones share theirs. */
struct looked {
    const double *x;
    double *order, *side; /* side: room for one of two sides */
    uint8_t *is;          /* of the enumeration above */
    uint32_t n, width;
    uint32_t others; /* of that kind */
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
    struct sca_comb comb;
    uint32_t places, hits; /* hits: not explained already */
    double below;          /* pairs of a hit and one of the others that is above it */
    double sigmas;         /* how much fewer these are than by chance */
};

static struct weighed weigh(const struct looked *l, uint64_t period, uint64_t phase)
{
    struct weighed w = {.comb = {period, phase, l->width}};
    double sum = 0;
    for (uint32_t i = sca_comb_next(&w.comb, l->n, 0); i < l->n;
         i = sca_comb_next(&w.comb, l->n, i + 1)) {
        w.places += l->is[i] != LEADING;
        if (l->is[i] != OTHER)
            continue;
        sum += l->order[i];
        w.hits++;
    }
    double k = w.hits, rest = l->others - k;
    w.below = k * l->others - k * (k + 1) / 2 - sum;
    if (k >= SCA_SEVERAL && rest > 0)
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

/* The numbers of one side, in room of their own. */
static uint32_t take_side(const struct looked *l, const struct weighed *w, bool places)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->is[i] == OTHER && sca_comb_has(&w->comb, i) == places)
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

/* ---- the one that chance would make least ---- */

/* What steps may be, so that some comb has more than half of its places right, and of the others.
 */
struct steps {
    uint64_t period, phase; /* 0: it has no places */
};

/* By how many iterations a comb may be shifted until places and others have changed. */
static uint64_t apart(const struct looked *l, uint64_t period)
{
    uint64_t part = l->width % period;
    return part < period - part ? part : period - part;
}

static struct steps steps_of(const struct looked *l, uint64_t period)
{
    uint64_t part = apart(l, period);
    uint64_t all = (uint64_t)l->n * l->width;
    struct steps s = {(uint64_t)((double)period * (double)part / (double)all), part / 2};
    return (struct steps){s.period ? s.period : 1, s.phase || !part ? s.phase : 1};
}

static uint64_t longest(const struct looked *l, uint32_t width)
{
    return (uint64_t)l->n * width / SCA_SEVERAL;
}

static struct weighed better(struct weighed a, struct weighed b)
{
    return b.sigmas > a.sigmas ? b : a;
}

/* Of periods in [from, 2 from). */
static struct weighed best_of_octave(const struct looked *l, uint64_t from)
{
    struct weighed best = {.sigmas = 0};
    for (uint64_t period = from, step; period < 2 * from && period <= longest(l, l->width);
         period += step) {
        struct steps s = steps_of(l, period);
        step = s.period;
        for (uint64_t phase = 0; s.phase && phase < period; phase += s.phase)
            best = better(best, weigh(l, period, phase));
    }
    return best;
}

/* The best of its neighbours. Iterations in the middle stay where they are, or move by a step. */
static struct weighed best_near(const struct looked *l, const struct weighed *w, struct steps s)
{
    struct weighed best = *w;
    double middle = l->n * (double)l->width / 2 - (double)w->comb.phase;
    double turns = floor(middle / (double)w->comb.period);
    for (int i = -2; i <= 2; i++)
        for (int k = -2; k <= 2; k++) {
            double period = (double)w->comb.period + i * (double)s.period;
            double phase =
                (double)w->comb.phase + k * (double)s.phase - turns * i * (double)s.period;
            phase -= period * floor(phase / period);
            if (period >= 2)
                best = better(best, weigh(l, (uint64_t)period, (uint64_t)phase));
        }
    return best;
}

static struct weighed refine(const struct looked *l, struct weighed w)
{
    struct steps s = steps_of(l, w.comb.period);
    for (;;) {
        struct weighed best = best_near(l, &w, s);
        if (best.sigmas <= w.sigmas && s.period <= 1 && s.phase <= 1)
            return w;
        if (best.sigmas <= w.sigmas)
            s = (struct steps){(s.period + 1) / 2, (s.phase + 1) / 2};
        w = best;
    }
}

/* In wide points a period shorter than these has the same places as a longer one, and one that is
 * hardly longer has nearly all. */
static uint64_t shortest(const struct looked *l)
{
    if (l->width >= l->n)
        return l->width + l->width / SCA_SEVERAL;
    uint64_t least = l->width / (most_in_a_point + 1);
    return least ? least + 1 : 2;
}

/* Where steps are larger than an iteration, half or twice the period may be hit better at first. */
static struct weighed find_best(const struct looked *l)
{
    struct weighed best = {.sigmas = 0};
    for (uint64_t from = shortest(l); from <= longest(l, l->width); from *= 2) {
        struct weighed of_octave = best_of_octave(l, from);
        if (of_octave.sigmas > 0 && l->width > 1)
            of_octave = refine(l, of_octave);
        best = better(best, of_octave);
    }
    return best;
}

/* More combs than points are wide have the same places as others. */
static bool may_be_chance(const struct looked *l, const struct weighed *w)
{
    double most = (double)longest(l, l->width < l->n ? l->width : l->n);
    double choices = most * (most + 1) / 2;
    return log_chance(w, l->others) + log(choices) > log(certain);
}

/* ---- what is told ---- */

/* All periods that have these places, but those of which a point would hold so many that one more
 * made less of a difference. */
static struct sca_trend_period periods_like(const struct weighed *w, uint32_t n, double ratio)
{
    struct sca_trend_period p = {.period = w->comb.period,
                                 .periods = 1,
                                 .first = w->comb.phase,
                                 .within = 1,
                                 .ratio = ratio};
    bool any = false;
    for (uint32_t held = 0; held <= most_in_a_point && ratio * held < held + 1; held++) {
        const struct sca_combs like = sca_combs_like(&w->comb, n, held);
        p.or_less |= any && like.any;
        if (any || !like.any)
            continue;
        any = true;
        p.period = like.comb.period;
        p.periods = like.most - like.least + 1;
        p.first = like.comb.phase;
        p.within = like.within;
    }
    return p;
}

/* Of iterations, from that of points, of which some hold one more than the others. */
static double ratio_of_iterations(double ratio, uint32_t width, uint64_t period)
{
    double held = (double)(width / period), rest = width - held;
    double more = held + 1 - ratio * held;
    return more > 0 ? (ratio * rest - (rest - 1)) / more : ratio;
}

static struct sca_trend_period period_of(const struct looked *l, const struct weighed *w)
{
    double usual = sca_median(l->side, take_side(l, w, false));
    double there = sca_median(l->side, take_side(l, w, true));
    struct sca_trend_period p = periods_like(w, l->n, usual > 0 ? there / usual : 1);
    p.of_points = p.ratio;
    p.ratio = ratio_of_iterations(p.ratio, l->width, p.period);
    p.at = sca_comb_next(&w->comb, l->n, 0);
    return p;
}

static void explain(const struct looked *l, const struct weighed *w)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->is[i] == OTHER && sca_comb_has(&w->comb, i))
            l->is[i] = RECURS;
}

struct sca_trend_periods sca_trend_periods(struct sca_workspace *space, const double *x, uint32_t n,
                                           uint32_t width, uint32_t leading)
{
    struct sca_trend_periods out = {.recurs = sca_workspace_alloc(space, n, 1)};
    struct looked l = {.x = x,
                       .order = sca_workspace_alloc(space, n, sizeof *l.order),
                       .side = sca_workspace_alloc(space, n, sizeof *l.side),
                       .is = sca_workspace_alloc(space, n, 1),
                       .n = n,
                       .width = width};
    for (uint32_t i = 0; i < leading; i++)
        l.is[i] = LEADING;
    for (uint32_t i = 0; i < SCA_TREND_PERIODS; i++) {
        put_in_order(space, &l);
        const struct weighed best = find_best(&l);
        if (best.sigmas <= 0 || may_be_chance(&l, &best))
            break;
        out.period[out.n] = period_of(&l, &best);
        out.n += stands_out(&l, &best) && out.period[out.n].of_points >= least_ratio;
        explain(&l, &best);
    }
    for (uint32_t i = 0; i < n; i++)
        out.recurs[i] = l.is[i] == RECURS;
    return out;
}
