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

struct sca_trend_drift sca_trend_drift(struct sca_workspace *space, const double *x, uint32_t n)
{
    struct sca_trend_drift d = {0};
    double kendall;
    if (n < 2 * LEAST)
        return d;
    double slope = slope_of(space, x, n, &kendall);
    double *left = copy(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        left[i] -= slope * i;
    d.begin = median_of(space, left, n);
    d.end = d.begin + slope * (n - 1);
    for (uint32_t i = 0; i < n; i++)
        d.error += fabs(left[i] - d.begin) / n;
    double share = worth(left, n) / n, rise = fabs(d.end - d.begin);
    bool large = d.begin > 0 && d.end > 0 &&
                 fmax(d.begin, d.end) >= least_growth * fmin(d.begin, d.end) &&
                 rise >= SCA_SEVERAL * d.error;
    d.is_real = large && rises(kendall * share * share, n * share);
    return d;
}

/* ---- outliers ---- */

enum { USUAL, OUTLIER, EXPLAINED };

/* As many in front by chance, where the others have so many. */
static bool may_be_chance(const struct sca_trend_outliers *o, uint32_t n)
{
    double share = (o->n - o->leading + 1.0) / n;
    return pow(share, o->leading) > SCA_CLEARLY * certain;
}

/* The first ones, if all of them are. One alone must be longer than any other, and one of many. */
static void find_leading(const double *x, struct sca_trend_outliers *o, uint32_t n)
{
    double most = o->usual;
    while (o->leading < o->n && o->at[o->leading] == o->leading)
        o->leading++;
    for (uint32_t i = o->leading; i < o->n; i++)
        most = fmax(most, x[o->at[i]]);
    bool chance =
        o->leading == 1 ? n < LEAST_FOR_ONE || x[0] < least_first * most : may_be_chance(o, n);
    if (chance || o->leading > n / 4)
        o->leading = 0;
}

/* Outliers at phase, phase + period, ...; *left: those that no other period has; *places: how many
 * there could be. */
static uint32_t hits(const uint8_t *out, uint32_t n, const struct sca_trend_period *p,
                     uint32_t *left, uint32_t *places)
{
    uint32_t count = 0;
    *places = *left = 0;
    for (uint32_t i = p->phase; i < n; i += p->period, ++*places) {
        count += out[i] != USUAL;
        *left += out[i] == OUTLIER;
    }
    return count;
}

/* Nine in ten of the places have one: by chance hardly ever. Of such periods the one that explains
 * most. Returns how many. */
static uint32_t find_period(const uint8_t *out, uint32_t n, struct sca_trend_period *best)
{
    uint32_t most = 0, left, places;
    for (uint32_t period = 2; period <= n / SCA_SEVERAL; period++)
        for (uint32_t phase = 0; phase < period; phase++) {
            const struct sca_trend_period p = {.period = period, .phase = phase};
            uint32_t hit = hits(out, n, &p, &left, &places);
            if (left < SCA_SEVERAL || 10 * hit < 9 * places || left <= most)
                continue;
            most = left;
            *best = p;
        }
    return most;
}

static double explain(struct sca_workspace *space, const double *x, uint8_t *out, uint32_t n,
                      const struct sca_trend_period *p)
{
    double *level = sca_workspace_alloc(space, n, sizeof *level);
    uint32_t count = 0;
    for (uint32_t i = p->phase; i < n; i += p->period)
        if (out[i] == OUTLIER) {
            level[count++] = x[i];
            out[i] = EXPLAINED;
        }
    return sca_median(level, count);
}

/* As many hits at some period and phase, where so many numbers are outliers. */
static bool period_may_be_chance(const struct sca_trend_outliers *o, uint32_t n, uint32_t hit)
{
    double share = (double)(o->n - o->leading) / n, choices = (double)n * n / 2;
    return pow(share, hit) * choices > certain;
}

/* Together they explain half of the outliers. */
static void find_periods(struct sca_workspace *space, const double *x, uint32_t n,
                         struct sca_trend_outliers *o)
{
    uint8_t *out = sca_workspace_alloc(space, n, sizeof *out);
    uint32_t explained = 0, more;
    for (uint32_t i = o->leading; i < o->n; i++)
        out[o->at[i]] = OUTLIER;
    while (o->nperiods < SCA_TREND_PERIODS &&
           (more = find_period(out, n, &o->period[o->nperiods])) > 0 &&
           !period_may_be_chance(o, n, more)) {
        o->period[o->nperiods].level = explain(space, x, out, n, &o->period[o->nperiods]);
        o->nperiods++;
        explained += more;
    }
    if (2 * explained < o->n - o->leading)
        o->nperiods = 0;
}

static void find_leading_level(struct sca_workspace *space, const double *x,
                               struct sca_trend_outliers *o)
{
    double *level = sca_workspace_alloc(space, o->leading, sizeof *level);
    for (uint32_t i = 0; i < o->leading; i++)
        level[i] = x[o->at[i]];
    o->leading_level = sca_median(level, o->leading);
}

struct sca_trend_outliers sca_trend_outliers(struct sca_workspace *space, const double *x,
                                             uint32_t n)
{
    struct sca_trend_outliers o = {.at = sca_workspace_alloc(space, n, sizeof(uint32_t))};
    double *apart = sca_workspace_alloc(space, n, sizeof *apart);
    o.usual = median_of(space, x, n);
    for (uint32_t i = 0; i < n; i++)
        apart[i] = fabs(x[i] - o.usual);
    double deviation = SCA_NORMAL_MAD * sca_median(apart, n);
    double limit = fmax(least_outlier * o.usual, o.usual + SCA_FIVE_SIGMAS * deviation);
    for (uint32_t i = 0; i < n; i++)
        if (x[i] > limit)
            o.at[o.n++] = i;
    find_leading(x, &o, n);
    find_periods(space, x, n, &o);
    find_leading_level(space, x, &o);
    return o;
}
