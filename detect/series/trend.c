#include "series/trend.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>
#include <string.h>

enum { LEAST = 8 /* numbers of a level, and of a drift */, LEAST_FOR_ONE = 64 };

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

double sca_trend_scatter(struct sca_workspace *space, const double *x, uint32_t n)
{
    double *difference = sca_workspace_alloc(space, n, sizeof *difference);
    for (uint32_t i = 1; i < n; i++)
        difference[i - 1] = fabs(x[i] - x[i - 1]);
    return n > 1 ? SCA_NORMAL_MAD * sca_median(difference, n - 1) / sqrt(2) : 0;
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

void sca_trend_levels(struct sca_workspace *space, const double *x, uint32_t n,
                      struct sca_trend_levels *out)
{
    *out = (struct sca_trend_levels){.n = 1};
    cut_up(space, x, 0, n, out);
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

double sca_trend_drift_at(const struct sca_trend_drift *d, uint32_t n, uint32_t i)
{
    uint32_t half = n / 2;
    if (!d->bends)
        return d->begin + (d->end - d->begin) * i / (n - 1);
    return i < half ? d->begin + (d->middle - d->begin) * i / half
                    : d->middle + (d->end - d->middle) * (i - half) / (n - 1 - half);
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

/* Growth that becomes faster or slower is near no straight line, whose ends are far off then. */
static void bend(struct sca_workspace *space, const double *x, uint32_t n,
                 struct sca_trend_drift *d)
{
    double first[2], second[2], unused;
    uint32_t half = n / 2;
    if (half < 2 * LEAST)
        return;
    find_ends(space, x, half, first, &unused);
    find_ends(space, x + half, n - half, second, &unused);
    struct sca_trend_drift bent = {true, true, first[0], (first[1] + second[0]) / 2, second[1], 0};
    off_line(space, x, n, &bent);
    bool goes_on = (bent.middle - bent.begin) * (d->end - d->begin) >= 0 &&
                   (bent.end - bent.middle) * (d->end - d->begin) >= 0;
    if (goes_on && bent.begin > 0 && bent.end > 0 &&
        bent.error * sca_trend_penalty(1, n) < d->error)
        *d = bent;
}

struct sca_trend_drift sca_trend_drift(struct sca_workspace *space, const double *x, uint32_t n)
{
    struct sca_trend_drift d = {0};
    double kendall, ends[2];
    if (n < 2 * LEAST)
        return d;
    find_ends(space, x, n, ends, &kendall);
    d.begin = ends[0];
    d.end = ends[1];
    d.middle = sca_trend_drift_at(&d, n, n / 2);
    const double *left = off_line(space, x, n, &d);
    double share = worth(left, n) / n, rise = fabs(d.end - d.begin);
    bool large = d.begin > 0 && d.end > 0 &&
                 fmax(d.begin, d.end) >= least_growth * fmin(d.begin, d.end) &&
                 rise >= SCA_SEVERAL * d.error;
    d.is_real = large && rises(kendall * share * share, n * share);
    if (d.is_real)
        bend(space, x, n, &d);
    return d;
}

/* ---- a beginning of its own ---- */

/* Numbers that are far above the median (Hampel), of n. */
struct outliers {
    uint32_t n, *at; /* rising */
    double usual;    /* the median of all */
};

static struct outliers find_outliers(struct sca_workspace *space, const double *x, uint32_t n)
{
    struct outliers o = {.at = sca_workspace_alloc(space, n, sizeof *o.at)};
    double *apart = sca_workspace_alloc(space, n, sizeof *apart);
    o.usual = median_of(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        apart[i] = fabs(x[i] - o.usual);
    double deviation = SCA_NORMAL_MAD * sca_median(apart, n);
    double limit = fmax(least_outlier * o.usual, o.usual + SCA_FIVE_SIGMAS * deviation);
    for (uint32_t i = 0; i < n; i++)
        if (x[i] > limit)
            o.at[o.n++] = i;
    return o;
}

/* As many in front by chance, where the others have so many. */
static bool may_be_chance(const struct outliers *o, uint32_t leading, uint32_t n)
{
    double share = (o->n - leading + 1.0) / n;
    return pow(share, leading) > SCA_CLEARLY * certain;
}

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
    const struct outliers o = find_outliers(space, x, n);
    uint32_t leading = 0;
    while (leading < o.n && o.at[leading] == leading)
        leading++;
    bool chance = leading == 1 ? one_may_be_chance(&o, x, n) : may_be_chance(&o, leading, n);
    if (chance || leading > n / 4)
        leading = 0;
    double level = leading ? median_of(space, x, leading) : 0;
    return (struct sca_trend_leading){leading, leading && o.usual > 0 ? level / o.usual : 1};
}
