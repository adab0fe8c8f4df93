#include "series/patterns.h"
#include "base/degrees.h"
#include "series/trend.h"
#include "stats/median.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW_RANKS = 3, LEAST_ROTATING = 24 };

static const double least_ratio = 1 + SCA_QUARTER; /* of a rank against the others */

static void add(struct sca_workspace *space, struct sca_patterns *out, struct sca_pattern pattern)
{
    if (out->n == out->room) {
        uint32_t room = out->room ? 2 * out->room : 8;
        out->list = sca_workspace_grow(space, out->list, out->n, room, sizeof *out->list);
        out->room = room;
    }
    out->list[out->n++] = pattern;
}

/* The first iteration of a point. */
static uint64_t first_of(const struct sca_series_point *p)
{
    return p->number - p->iterations + 1;
}

static double begin_of(const struct sca_series_point *points, uint32_t i)
{
    return i ? points[i - 1].end : points[0].end - points[0].span;
}

/* ---- one list of times ---- */

static double distance_from_levels(const double *x, uint32_t n, const struct sca_trend_levels *l)
{
    double error = 0;
    for (uint32_t i = 0, k = 0; i < n; i++) {
        while (k + 1 < l->n && i >= l->first[k + 1])
            k++;
        error += fabs(x[i] - l->level[k]) / n;
    }
    return error;
}

/* A line or steps, whichever is nearer by the criterion of Schwarz (Annals of Statistics 6, 1978),
 * for many steps are near to anything: a line has two numbers, a list of levels one for each and
 * one for each change. Distances are those of Laplace's distribution. */
static bool is_line(const struct sca_trend_drift *d, const double *x, uint32_t n,
                    const struct sca_trend_levels *l)
{
    double more = 2.0 * l->n - 1 - 2;
    return d->is_real && d->error < distance_from_levels(x, n, l) * exp(more * log(n) / (2.0 * n));
}

static void add_steps(struct sca_workspace *space, const struct sca_series_point *points,
                      const struct sca_trend_levels *l, struct sca_patterns *out)
{
    for (uint32_t k = 1; k < l->n; k++) {
        const struct sca_series_point *p = &points[l->first[k]];
        add(space, out,
            (struct sca_pattern){.kind = SCA_PATTERN_STEP,
                                 .first = first_of(p),
                                 .within = p->iterations,
                                 .at = begin_of(points, l->first[k]),
                                 .ratio = l->level[k] / l->level[k - 1]});
    }
}

static bool add_trend(struct sca_workspace *space, const struct sca_series_point *points,
                      const double *x, uint32_t n, struct sca_patterns *out)
{
    struct sca_trend_levels levels;
    sca_trend_levels(space, x, n, &levels);
    struct sca_trend_drift drift = sca_trend_drift(space, x, n);
    bool line = is_line(&drift, x, n, &levels);
    if (line)
        add(space, out,
            (struct sca_pattern){.kind = SCA_PATTERN_DRIFT,
                                 .first = first_of(points),
                                 .last = points[n - 1].number,
                                 .within = 1,
                                 .at = begin_of(points, 0),
                                 .ratio = drift.end / drift.begin,
                                 .begin = drift.begin,
                                 .end = drift.end});
    else if (levels.level[0] > 0)
        add_steps(space, points, &levels, out);
    return line;
}

/* Divided by the line or the levels, so that what recurs is seen in what changes. */
static double *level_out(struct sca_workspace *space, const double *x, uint32_t n)
{
    double *flat = sca_workspace_alloc(space, n, sizeof *flat);
    struct sca_trend_levels l;
    sca_trend_levels(space, x, n, &l);
    struct sca_trend_drift d = sca_trend_drift(space, x, n);
    bool line = is_line(&d, x, n, &l);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        while (k + 1 < l.n && i >= l.first[k + 1])
            k++;
        double level = line ? d.begin + (d.end - d.begin) * i / (n - 1) : l.level[k];
        flat[i] = level > 0 ? x[i] / level : 1;
    }
    return flat;
}

/* Points of one size lie at equal distances. */
static bool is_even(const struct sca_series_point *points, uint32_t n)
{
    for (uint32_t i = 2; i + 1 < n; i++)
        if (points[i].iterations != points[1].iterations)
            return false;
    return true;
}

static struct sca_pattern period_of(const struct sca_series_point *points, uint32_t n,
                                    const struct sca_trend_period *found, double usual)
{
    const struct sca_series_point *p = &points[found->phase];
    return (struct sca_pattern){.kind = SCA_PATTERN_PERIOD,
                                .first = first_of(p),
                                .last = points[n - 1].number,
                                .within = p->iterations,
                                .period = found->period * points[1].iterations,
                                .at = begin_of(points, found->phase),
                                .ratio = found->level / usual};
}

static void add_recurring(struct sca_workspace *space, const struct sca_series_point *points,
                          const double *x, uint32_t n, struct sca_patterns *out)
{
    const struct sca_trend_outliers o = sca_trend_outliers(space, level_out(space, x, n), n);
    if (o.leading)
        add(space, out,
            (struct sca_pattern){.kind = SCA_PATTERN_WARM_UP,
                                 .first = first_of(points),
                                 .last = points[o.leading - 1].number,
                                 .within = points[0].iterations,
                                 .at = begin_of(points, 0),
                                 .ratio = o.leading_level / o.usual});
    for (uint32_t i = 0; i < o.nperiods && is_even(points, n); i++)
        add(space, out, period_of(points, n, &o.period[i], o.usual));
}

void sca_patterns_of(struct sca_workspace *space, const struct sca_series_point *points,
                     const double *each, uint32_t n, struct sca_patterns *out)
{
    *out = (struct sca_patterns){0};
    if (n < 2)
        return;
    add_trend(space, points, each, n, out);
    add_recurring(space, points, each, n, out);
}

/* ---- ranks against the others ---- */

/* Cells of a rank's coarser series. */
struct cells {
    struct sca_series_point *points; /* number, iterations, end and span of each */
    double *others;                  /* what the usual rank took */
    uint32_t n;
};

static struct cells cells_of(struct sca_workspace *space, const struct sca_series *s,
                             const struct sca_series_section *section)
{
    struct cells c = {.n = section->nrank_points};
    c.points = sca_workspace_alloc(space, c.n, sizeof *c.points);
    c.others = sca_workspace_alloc(space, c.n, sizeof *c.others);
    for (uint32_t i = 0; i < section->npoints; i++) {
        const struct sca_series_point *p = &s->points[section->first + i];
        struct sca_series_point *to = &c.points[i / section->factor];
        to->number = p->number;
        to->iterations += p->iterations;
        to->end = p->end;
        to->span += p->span;
        c.others[i / section->factor] += s->nranks <= FEW_RANKS ? p->own.min : p->own.median;
    }
    return c;
}

struct rank_steps {
    struct sca_trend_levels levels;
    struct sca_trend_drift drift;
};

static struct rank_steps *look_at_ranks(struct sca_workspace *space, const struct sca_series *s,
                                        const struct sca_series_section *section,
                                        const struct cells *c)
{
    struct rank_steps *all = sca_workspace_alloc(space, s->nranks, sizeof *all);
    double *x = sca_workspace_alloc(space, c->n, sizeof *x);
    for (uint32_t k = 0; k < s->nranks; k++) {
        const float *own = s->own + (size_t)k * s->nrank_points + section->rank_first;
        for (uint32_t i = 0; i < c->n; i++)
            x[i] = c->others[i] > 0 ? own[i] / c->others[i] : 1;
        sca_trend_levels(space, x, c->n, &all[k].levels);
        all[k].drift = sca_trend_drift(space, x, c->n);
        all[k].drift.is_real = is_line(&all[k].drift, x, c->n, &all[k].levels);
        if (all[k].drift.is_real)
            all[k].levels.n = 1;
    }
    return all;
}

static bool is_large(double ratio)
{
    return ratio >= least_ratio || ratio <= 1 / least_ratio;
}

/* Ranks that change where this one does, in the same direction. Most would be the others. */
static void add_step_of(struct sca_workspace *space, const struct sca_series *s,
                        const struct cells *c, struct rank_steps *all, uint32_t rank,
                        struct sca_patterns *out)
{
    const struct sca_trend_levels *own = &all[rank].levels;
    uint32_t cut = own->first[1], n = 0;
    double ratio = own->level[1] / own->level[0];
    uint32_t *ranks = sca_workspace_alloc(space, s->nranks, sizeof *ranks);
    double *ratios = sca_workspace_alloc(space, s->nranks, sizeof *ratios);
    for (uint32_t k = rank; k < s->nranks; k++) {
        struct sca_trend_levels *l = &all[k].levels;
        double its = l->n > 1 ? l->level[1] / l->level[0] : 1;
        bool near = l->n > 1 && (l->first[1] > cut ? l->first[1] - cut : cut - l->first[1]) <= 1;
        if (!near || !is_large(its) || (its > 1) != (ratio > 1))
            continue;
        ranks[n] = s->ranks[k];
        ratios[n++] = its;
        if (k != rank)
            l->n = 1;
    }
    if (2 * n > s->nranks)
        return;
    add(space, out,
        (struct sca_pattern){.kind = SCA_PATTERN_STEP,
                             .first = first_of(&c->points[cut]),
                             .within = c->points[cut].iterations,
                             .at = begin_of(c->points, cut),
                             .ratio = sca_median(ratios, n),
                             .nranks = n,
                             .ranks = ranks});
}

static void add_drift_of(struct sca_workspace *space, const struct sca_series *s,
                         const struct cells *c, const struct rank_steps *all,
                         struct sca_patterns *out)
{
    uint32_t *ranks = sca_workspace_alloc(space, s->nranks, sizeof *ranks), n = 0;
    double *ratios = sca_workspace_alloc(space, s->nranks, sizeof *ratios);
    for (uint32_t k = 0; k < s->nranks; k++)
        if (all[k].drift.is_real && all[k].drift.end / all[k].drift.begin >= least_ratio) {
            ranks[n] = s->ranks[k];
            ratios[n++] = all[k].drift.end / all[k].drift.begin;
        }
    if (!n || 2 * n > s->nranks)
        return;
    double ratio = sca_median(ratios, n), begin = c->others[0] / c->points[0].iterations;
    add(space, out,
        (struct sca_pattern){.kind = SCA_PATTERN_DRIFT,
                             .first = first_of(c->points),
                             .last = c->points[c->n - 1].number,
                             .within = 1,
                             .at = begin_of(c->points, 0),
                             .ratio = ratio,
                             .begin = begin,
                             .end = ratio * begin,
                             .nranks = n,
                             .ranks = ranks});
}

/* ---- what recurs on a rank, where the times of others hide it ---- */

static const struct sca_pattern *same_period(const struct sca_patterns *list,
                                             const struct sca_pattern *p)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->list[i].kind == SCA_PATTERN_PERIOD && list->list[i].period == p->period &&
            list->list[i].first == p->first)
            return &list->list[i];
    return NULL;
}

/* `ranks`: of each pattern of the list, to be written. */
struct rank_periods {
    struct sca_patterns list;
    uint32_t **ranks;
};

static void add_period_of(struct sca_workspace *space, const struct sca_series *s, uint32_t rank,
                          struct sca_pattern period, struct rank_periods *all)
{
    const struct sca_pattern *same = same_period(&all->list, &period);
    uint32_t at = same ? (uint32_t)(same - all->list.list) : all->list.n;
    if (!same) {
        all->ranks[at] = sca_workspace_alloc(space, s->nranks, sizeof **all->ranks);
        period.ranks = all->ranks[at];
        add(space, &all->list, period);
    }
    all->ranks[at][all->list.list[at].nranks++] = s->ranks[rank];
}

/* Of ranks against the others; not what is known of all already. Most ranks would be the others. */
static void add_periods_of_ranks(struct sca_workspace *space, const struct sca_series *s,
                                 const struct sca_series_section *section, struct sca_patterns *out)
{
    const struct cells c = cells_of(space, s, section);
    struct rank_periods periods = {{0}, NULL};
    double *x = sca_workspace_alloc(space, c.n, sizeof *x);
    periods.ranks =
        sca_workspace_alloc(space, (size_t)s->nranks * SCA_TREND_PERIODS, sizeof *periods.ranks);
    for (uint32_t k = 0; k < s->nranks && c.n > 1 && s->nranks > 1 && is_even(c.points, c.n); k++) {
        const float *own = s->own + (size_t)k * s->nrank_points + section->rank_first;
        for (uint32_t i = 0; i < c.n; i++)
            x[i] = c.others[i] > 0 ? own[i] / c.others[i] : 1;
        const struct sca_trend_outliers o =
            sca_trend_outliers(space, level_out(space, x, c.n), c.n);
        for (uint32_t i = 0; i < o.nperiods; i++)
            add_period_of(space, s, k, period_of(c.points, c.n, &o.period[i], o.usual), &periods);
    }
    uint32_t ranks = 0;
    for (uint32_t i = 0; i < periods.list.n; i++)
        ranks += periods.list.list[i].nranks;
    for (uint32_t i = 0; i < periods.list.n && 2 * ranks <= s->nranks; i++)
        if (!same_period(out, &periods.list.list[i]))
            add(space, out, periods.list.list[i]);
}

static void add_ranks(struct sca_workspace *space, const struct sca_series *s,
                      const struct sca_series_section *section, struct sca_patterns *out)
{
    const struct cells c = cells_of(space, s, section);
    if (s->nranks < 2 || c.n < 2)
        return;
    struct rank_steps *all = look_at_ranks(space, s, section, &c);
    for (uint32_t k = 0; k < s->nranks; k++)
        if (all[k].levels.n > 1 && is_large(all[k].levels.level[1] / all[k].levels.level[0]))
            add_step_of(space, s, &c, all, k, out);
    add_drift_of(space, s, &c, all, out);
}

/* ---- rotation ---- */

/* From one iteration to the next the slowest rank moves on by the same number of ranks. */
static void add_rotation(struct sca_workspace *space, const struct sca_series *s,
                         const struct sca_series_point *points, uint32_t n,
                         struct sca_patterns *out)
{
    uint32_t *seen = sca_workspace_alloc(space, s->nranks + 1, sizeof *seen), best = 0, ratios = 0;
    double *ratio = sca_workspace_alloc(space, n, sizeof *ratio);
    for (uint32_t i = 0; i < n; i++)
        if (points[i].own.max > least_ratio * points[i].own.median)
            ratio[ratios++] = points[i].own.max / points[i].own.median;
    for (uint32_t i = 1; i < n; i++)
        seen[(points[i].slowest + s->nranks - points[i - 1].slowest % s->nranks) % s->nranks]++;
    for (uint32_t k = 1; k < s->nranks; k++)
        best = seen[k] > seen[best] || !best ? k : best;
    if (s->nranks < FEW_RANKS || n < LEAST_ROTATING || ratios < SCA_MOST * n ||
        seen[best] < SCA_HALF * n)
        return;
    add(space, out,
        (struct sca_pattern){.kind = SCA_PATTERN_ROTATES,
                             .first = first_of(points),
                             .last = points[n - 1].number,
                             .within = points[0].iterations,
                             .at = begin_of(points, 0),
                             .ratio = sca_median(ratio, ratios)});
}

void sca_patterns_find(struct sca_workspace *space, const struct sca_series *series,
                       const struct sca_series_section *section, struct sca_patterns *out)
{
    const struct sca_series_point *points = series->points + section->first;
    uint32_t n = section->npoints;
    double *usual = sca_workspace_alloc(space, n, sizeof *usual);
    double *most = sca_workspace_alloc(space, n, sizeof *most);
    *out = (struct sca_patterns){0};
    if (n < 2)
        return;
    for (uint32_t i = 0; i < n; i++) {
        usual[i] = points[i].own.median / points[i].iterations;
        most[i] = points[i].own.max / points[i].iterations;
    }
    add_trend(space, points, usual, n, out);
    uint32_t before = out->n;
    add_recurring(space, points, usual, n, out);
    if (out->n == before)
        add_recurring(space, points, most, n, out);
    add_ranks(space, series, section, out);
    add_rotation(space, series, points, n, out);
    if (out->list && out->n && out->list[out->n - 1].kind == SCA_PATTERN_ROTATES)
        return;
    add_periods_of_ranks(space, series, section, out);
}

bool sca_pattern_may_be_cores(const struct sca_pattern *p)
{
    double most = p->nranks ? SCA_SHARED_CORES : SCA_MOST_CORE_SPEED;
    bool changes = p->kind == SCA_PATTERN_STEP || p->kind == SCA_PATTERN_DRIFT;
    return changes && p->ratio < most && p->ratio * most > 1;
}

static bool is_in(const struct sca_pattern *p, uint64_t iteration)
{
    if (p->kind == SCA_PATTERN_STEP)
        return iteration >= p->first;
    if (p->kind == SCA_PATTERN_WARM_UP)
        return iteration <= p->last;
    return p->period && iteration >= p->first && (iteration - p->first) % p->period == 0;
}

bool sca_pattern_is_all(const struct sca_pattern *p, const struct sca_series_point *points,
                        const double *ratio, uint32_t n)
{
    double sum[2] = {0, 0}, of[2] = {0, 0};
    if (p->kind == SCA_PATTERN_DRIFT)
        return p->begin - 1 <= SCA_QUARTER * (p->end - 1);
    for (uint32_t i = 0; i < n; i++) {
        bool in = is_in(p, points[i].number);
        sum[in] += ratio[i] - 1;
        of[in]++;
    }
    return of[0] > 0 && of[1] > 0 && sum[0] / of[0] <= SCA_QUARTER * sum[1] / of[1];
}

/* ---- words ---- */

static const char *ending(uint32_t n)
{
    if (n % 100 / 10 == 1)
        return "th";
    return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

static void put_step(const struct sca_pattern *p, char words[SCA_PATTERN_WORDS])
{
    snprintf(words, SCA_PATTERN_WORDS, "from iteration %s%llu on (second %.1f)",
             p->within > 1 ? "about " : "", (unsigned long long)p->first, p->at);
}

static void put_drift(const struct sca_pattern *p, char words[SCA_PATTERN_WORDS])
{
    snprintf(words, SCA_PATTERN_WORDS, "%s from 1x to %.2gx in iterations %llu to %llu",
             p->ratio > 1 ? "growing" : "shrinking", p->ratio, (unsigned long long)p->first,
             (unsigned long long)p->last);
}

const char *sca_pattern_acts(const struct sca_pattern *p, char words[SCA_PATTERN_WORDS])
{
    if (p->kind == SCA_PATTERN_STEP)
        put_step(p, words);
    else if (p->kind == SCA_PATTERN_DRIFT)
        put_drift(p, words);
    else if (p->kind == SCA_PATTERN_PERIOD)
        snprintf(words, SCA_PATTERN_WORDS, "every %u%s iteration", p->period, ending(p->period));
    else if (p->kind == SCA_PATTERN_WARM_UP && p->last > 1)
        snprintf(words, SCA_PATTERN_WORDS, "in the first %llu iterations",
                 (unsigned long long)p->last);
    else if (p->kind == SCA_PATTERN_WARM_UP)
        snprintf(words, SCA_PATTERN_WORDS, "in the first iteration");
    else
        snprintf(words, SCA_PATTERN_WORDS, "on another rank in each iteration");
    return words;
}
