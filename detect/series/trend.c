#include "series/trend.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>
#include <string.h>

enum {
    LEAST = 8, /* numbers of a level that a test finds, and of a drift */
    FEW = 3,   /* of a level at either end */
    LEAST_FOR_ONE = 64
};

/* A p-value: many lists are looked at. */
static const double certain = SCA_FALSE_ALARMS * SCA_FALSE_ALARMS;
static const double least_step = 1 + SCA_SUBSTANTIAL; /* ratio of two levels */
static const double least_growth = 1 + SCA_QUARTER;   /* ratio of a drift's end to its begin */
static const double least_outlier = 1 + SCA_SUBSTANTIAL;
static const double least_first = 1 + SCA_HALF; /* a first one alone to any other */

static double *copy(struct sca_workspace *space, const double *x, uint32_t n)
{
    double *to = sca_workspace_alloc(space, n, sizeof *to);
    memcpy(to, x, n * sizeof *to);
    return to;
}

static double median_of(struct sca_workspace *space, const double *x, uint32_t n)
{
    return sca_median(copy(space, x, n), n);
}

/* By the quarter of numbers that differ least from the one so many places before. */
static double scatter_over(struct sca_workspace *space, const double *x, uint32_t n,
                           uint32_t places)
{
    double *difference = sca_workspace_alloc(space, n, sizeof *difference);
    uint32_t count = 0;
    for (uint32_t i = places; i < n; i++)
        difference[count++] = fabs(x[i] - x[i - places]);
    return count ? SCA_NORMAL_QUARTILE * sca_median_select(difference, count, count / 4) / sqrt(2)
                 : 0;
}

double sca_trend_scatter(struct sca_workspace *space, const double *x, uint32_t n)
{
    return fmin(scatter_over(space, x, n, 1), scatter_over(space, x, n, n > 2 ? 2 : 1));
}

/* So many independent numbers as n with this autocorrelation are worth (Bayley and Hammersley, J.
 * Royal Statistical Society 8, 1946). */
static double worth(const double *x, uint32_t n)
{
    double mean = 0, with = 0, own = 0;
    for (uint32_t i = 0; i < n; i++)
        mean += x[i] / n;
    for (uint32_t i = 0; i < n; i++) {
        own += (x[i] - mean) * (x[i] - mean);
        with += i ? (x[i] - mean) * (x[i - 1] - mean) : 0;
    }
    double rho = own > 0 ? with / own : 0;
    rho = rho < 0 ? 0 : rho > SCA_NEARLY_ALL ? SCA_NEARLY_ALL : rho;
    return n * (1 - rho) / (1 + rho);
}

/* ---- numbers that are far off the others ---- */

/* Above the median (Hampel), or below it, of n. */
struct outliers {
    uint32_t n, *at; /* rising */
    double usual;    /* the median of all */
    double limit;
};

static struct outliers find_outliers(struct sca_workspace *space, const double *x, uint32_t n,
                                     bool above)
{
    struct outliers o = {.at = sca_workspace_alloc(space, n, sizeof *o.at)};
    double *apart = sca_workspace_alloc(space, n, sizeof *apart);
    o.usual = median_of(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        apart[i] = fabs(x[i] - o.usual);
    double deviation = SCA_NORMAL_MAD * sca_median(apart, n);
    o.limit = above ? fmax(least_outlier * o.usual, o.usual + SCA_FIVE_SIGMAS * deviation)
                    : fmin(o.usual / least_outlier, o.usual - SCA_FIVE_SIGMAS * deviation);
    for (uint32_t i = 0; i < n; i++)
        if (above ? x[i] > o.limit : x[i] < o.limit)
            o.at[o.n++] = i;
    return o;
}

/* Probability that as many are in front, where the others have so many. */
static double chance_of(const struct outliers *o, uint32_t leading, uint32_t n)
{
    return pow((o->n - leading + 1.0) / n, leading);
}

static uint32_t leading_of(const struct outliers *o)
{
    uint32_t leading = 0;
    while (leading < o->n && o->at[leading] == leading)
        leading++;
    return leading;
}

/* ---- levels ---- */

/* Where the numbers before and after differ most in rank, and how much. */
static uint32_t pettitt(const double *x, uint32_t n, double *statistic)
{
    uint32_t best = 0;
    double u = 0;
    *statistic = 0;
    for (uint32_t t = 0; t + 1 < n; t++) {
        for (uint32_t j = 0; j < n; j++)
            u += (x[t] > x[j]) - (x[t] < x[j]);
        if (fabs(u) > *statistic && t + 1 >= LEAST && n - t - 1 >= LEAST) {
            *statistic = fabs(u);
            best = t + 1;
        }
    }
    return best;
}

/* The numbers less the level of their side. */
static double *left_over(struct sca_workspace *space, const double *x, uint32_t n, uint32_t cut,
                         double before, double after)
{
    double *left = copy(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        left[i] -= i < cut ? before : after;
    return left;
}

/* Standard deviation of how far two medians lie apart, of numbers like these in two parts. */
static double error_of(struct sca_workspace *space, const double *left, uint32_t n, uint32_t cut,
                       double share)
{
    double *size = copy(space, left, n);
    for (uint32_t i = 0; i < n; i++)
        size[i] = fabs(size[i]);
    double deviation = SCA_NORMAL_MAD * sca_median(size, n);
    return deviation * sqrt(SCA_MEDIAN_VARIANCE * (1.0 / cut + 1.0 / (n - cut)) / share);
}

static bool is_step(struct sca_workspace *space, const double *x, uint32_t n, uint32_t cut,
                    double statistic)
{
    double before = median_of(space, x, cut), after = median_of(space, x + cut, n - cut);
    double lesser = fmin(before, after), apart = fabs(after - before);
    const double *left = left_over(space, x, n, cut, before, after);
    double share = worth(left, n) / n;
    if (apart < (least_step - 1) * lesser ||
        apart < SCA_FIVE_SIGMAS * error_of(space, left, n, cut, share))
        return false;
    double k = statistic * share * sqrt(share), size = n * share;
    return 2 * exp(-6 * k * k / (size * size * size + size * size)) < certain;
}

/* Where the numbers are nearest to the levels of their sides. Ranks alone (Pettitt) draw a cut to
 * the middle: numbers behind a step that are slightly above those that follow go to its side. */
static uint32_t nearest_cut(struct sca_workspace *space, const double *x, uint32_t n, uint32_t cut)
{
    double before = median_of(space, x, cut), after = median_of(space, x + cut, n - cut);
    double sum = 0, least = INFINITY; /* of the numbers up to there: how much nearer to `before` */
    for (uint32_t t = 0; t + LEAST < n; t++) {
        sum += fabs(x[t] - before) - fabs(x[t] - after);
        if (t + 1 >= LEAST && sum < least) {
            least = sum;
            cut = t + 1;
        }
    }
    return cut;
}

static void cut_up(struct sca_workspace *space, const double *x, uint32_t first, uint32_t end,
                   struct sca_trend_levels *out)
{
    double statistic;
    uint32_t n = end - first;
    uint32_t cut = n >= 2 * LEAST ? pettitt(x + first, n, &statistic) : 0;
    bool step = cut && out->n < SCA_TREND_LEVELS && is_step(space, x + first, n, cut, statistic);
    if (!step)
        return;
    cut = nearest_cut(space, x + first, n, cut);
    out->first[out->n++] = first + cut;
    cut_up(space, x, first, first + cut, out);
    cut_up(space, x, first + cut, end, out);
}

static void sort_firsts(struct sca_trend_levels *out)
{
    for (uint32_t i = 1; i < out->n; i++)
        for (uint32_t k = i; k && out->first[k] < out->first[k - 1]; k--) {
            uint32_t swap = out->first[k];
            out->first[k] = out->first[k - 1];
            out->first[k - 1] = swap;
        }
}

/* Several in front that are far above the rest of their level, or below, as hardly any of the whole
 * list is; 0: there are none. */
static uint32_t few_in_front(struct sca_workspace *space, const double *x, uint32_t of_level,
                             uint32_t n, bool above)
{
    struct outliers o = find_outliers(space, x, of_level, above);
    uint32_t few = leading_of(&o);
    if (few < FEW || few > of_level / 4)
        return 0;
    for (uint32_t i = of_level; i < n; i++)
        o.n += above ? x[i] > o.limit : x[i] < o.limit;
    double share = worth(left_over(space, x, n, few, median_of(space, x, few), o.usual), n) / n;
    return pow(chance_of(&o, few, n), share) < certain ? few : 0;
}

static void add_cut(struct sca_trend_levels *out, uint32_t first)
{
    if (out->n < SCA_TREND_LEVELS)
        out->first[out->n++] = first;
}

/* Levels too short for the test. What is larger in front is a warm-up. */
static void cut_ends(struct sca_workspace *space, const double *x, uint32_t n,
                     struct sca_trend_levels *out)
{
    uint32_t end = out->n > 1 ? out->first[1] : n, last = out->first[out->n - 1];
    double *turned = sca_workspace_alloc(space, n, sizeof *turned);
    for (uint32_t i = 0; i < n; i++)
        turned[n - 1 - i] = x[i];
    uint32_t less = few_in_front(space, x, end, n, false);
    uint32_t behind = few_in_front(space, turned, n - last, n, true);
    if (!behind)
        behind = few_in_front(space, turned, n - last, n, false);
    if (less)
        add_cut(out, less);
    if (behind)
        add_cut(out, n - behind);
}

void sca_trend_levels(struct sca_workspace *space, const double *x, uint32_t n,
                      struct sca_trend_levels *out)
{
    *out = (struct sca_trend_levels){.n = 1};
    cut_up(space, x, 0, n, out);
    sort_firsts(out);
    cut_ends(space, x, n, out);
    sort_firsts(out);
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t end = i + 1 < out->n ? out->first[i + 1] : n;
        out->level[i] = median_of(space, x + out->first[i], end - out->first[i]);
    }
}

/* ---- drift ---- */

static double slope_of(struct sca_workspace *space, const double *x, uint32_t n, double *kendall)
{
    double *slopes = sca_workspace_alloc(space, (size_t)n * (n - 1) / 2, sizeof *slopes);
    uint32_t count = 0;
    *kendall = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            *kendall += (x[k] > x[i]) - (x[k] < x[i]);
            slopes[count++] = (x[k] - x[i]) / (k - i);
        }
    return sca_median(slopes, count);
}

static bool rises(double kendall, double n)
{
    double deviation = sqrt(n * (n - 1) * (2 * n + 5) / 18);
    double z = n > 3 ? (fabs(kendall) - 1) / deviation : 0;
    return erfc(z / sqrt(2)) < certain;
}

/* The place of a knot among n numbers. */
static uint32_t place_of(uint32_t knot, uint32_t n)
{
    uint32_t last = SCA_TREND_KNOTS - 1;
    return knot == last ? n - 1 : (uint32_t)((uint64_t)n * knot / last);
}

double sca_trend_drift_at(const struct sca_trend_drift *d, uint32_t n, uint32_t i)
{
    uint32_t k = 0;
    while (k + 2 < SCA_TREND_KNOTS && i >= place_of(k + 1, n))
        k++;
    uint32_t from = place_of(k, n), to = place_of(k + 1, n);
    double part = to > from ? (double)(i - from) / (to - from) : 0;
    return d->knot[k] + (d->knot[k + 1] - d->knot[k]) * part;
}

double sca_trend_penalty(double more, uint32_t n)
{
    return exp(more * log(n) / (2.0 * n));
}

/* First and last of the line through these numbers. */
static void find_ends(struct sca_workspace *space, const double *x, uint32_t n, double ends[2],
                      double *kendall)
{
    double slope = slope_of(space, x, n, kendall), *left = copy(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        left[i] -= slope * i;
    ends[0] = sca_median(left, n);
    ends[1] = ends[0] + slope * (n - 1);
}

/* What the line leaves; and the error. */
static double *off_line(struct sca_workspace *space, const double *x, uint32_t n,
                        struct sca_trend_drift *d)
{
    double *left = copy(space, x, n);
    d->error = 0;
    for (uint32_t i = 0; i < n; i++) {
        left[i] -= sca_trend_drift_at(d, n, i);
        d->error += fabs(left[i]) / n;
    }
    return left;
}

/* Two straight pieces, or four: neighbours meet in the middle of their ends. */
static struct sca_trend_drift in_pieces(struct sca_workspace *space, const double *x, uint32_t n,
                                        uint32_t pieces)
{
    struct sca_trend_drift d = {.is_real = true, .pieces = pieces};
    uint32_t step = (SCA_TREND_KNOTS - 1) / pieces;
    for (uint32_t p = 0; p < pieces; p++) {
        uint32_t from = place_of(p * step, n), to = place_of((p + 1) * step, n);
        double ends[2], unused;
        find_ends(space, x + from, (p + 1 == pieces ? n : to) - from, ends, &unused);
        d.knot[p * step] = p ? (d.knot[p * step] + ends[0]) / 2 : ends[0];
        d.knot[(p + 1) * step] = ends[1];
    }
    for (uint32_t k = 1; k < SCA_TREND_KNOTS && step > 1; k += step)
        d.knot[k] = (d.knot[k - 1] + d.knot[k + 1]) / 2;
    off_line(space, x, n, &d);
    return d;
}

/* Nowhere back by more than what numbers are off the line. */
static bool goes_on(const struct sca_trend_drift *d, double direction)
{
    for (uint32_t k = 0; k < SCA_TREND_KNOTS; k++)
        if (d->knot[k] <= 0 ||
            (k && (d->knot[k] - d->knot[k - 1]) * (direction > 0 ? 1 : -1) < -d->error))
            return false;
    return true;
}

/* Growth that becomes faster or slower is near no straight line, whose ends are far off then. */
static void bend(struct sca_workspace *space, const double *x, uint32_t n,
                 struct sca_trend_drift *d)
{
    for (uint32_t pieces = 2; pieces < SCA_TREND_KNOTS && n >= 2 * LEAST * pieces; pieces *= 2) {
        const struct sca_trend_drift bent = in_pieces(space, x, n, pieces);
        double more = (double)pieces - d->pieces;
        if (goes_on(&bent, sca_trend_end(d) - sca_trend_begin(d)) &&
            bent.error * sca_trend_penalty(more, n) < d->error)
            *d = bent;
    }
}

static struct sca_trend_drift straight(const double ends[2], uint32_t n)
{
    struct sca_trend_drift d = {.pieces = 1};
    for (uint32_t k = 0; k < SCA_TREND_KNOTS; k++)
        d.knot[k] = ends[0] + (ends[1] - ends[0]) * place_of(k, n) / (n - 1);
    return d;
}

struct sca_trend_drift sca_trend_drift(struct sca_workspace *space, const double *x, uint32_t n)
{
    double kendall, ends[2];
    if (n < 2 * LEAST)
        return (struct sca_trend_drift){.pieces = 1};
    find_ends(space, x, n, ends, &kendall);
    struct sca_trend_drift d = straight(ends, n);
    const double *left = off_line(space, x, n, &d);
    double share = worth(left, n) / n, rise = fabs(ends[1] - ends[0]);
    bool large = ends[0] > 0 && ends[1] > 0 &&
                 fmax(ends[0], ends[1]) >= least_growth * fmin(ends[0], ends[1]) &&
                 rise >= SCA_SEVERAL * d.error;
    d.is_real = large && rises(kendall * share * share, n * share);
    if (d.is_real)
        bend(space, x, n, &d);
    return d;
}

/* ---- a beginning of its own ---- */

/* One alone must be longer than any other, and one of many. */
static bool one_may_be_chance(const struct outliers *o, const double *x, uint32_t n)
{
    double most = o->usual;
    for (uint32_t i = 1; i < o->n; i++)
        most = fmax(most, x[o->at[i]]);
    return n < LEAST_FOR_ONE || x[0] < least_first * most;
}

struct sca_trend_leading sca_trend_leading(struct sca_workspace *space, const double *x, uint32_t n)
{
    const struct outliers o = find_outliers(space, x, n, true);
    uint32_t leading = leading_of(&o);
    bool chance = leading == 1 ? one_may_be_chance(&o, x, n)
                               : chance_of(&o, leading, n) > SCA_CLEARLY * certain;
    if (chance || leading > n / 4)
        leading = 0;
    double level = leading ? median_of(space, x, leading) : 0;
    return (struct sca_trend_leading){leading, leading && o.usual > 0 ? level / o.usual : 1};
}
