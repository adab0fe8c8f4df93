#include "series/patterns.h"
#include "base/degrees.h"
#include "series/rotation.h"
#include "series/shape.h"
#include "stats/median.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return i ? points[i - 1].end : fmax(0, points[0].end - points[0].span); /* it is rounded */
}

/* ---- one list of times ---- */

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

/* Ratio to its begin, once the drift has gone on for as many iterations again, as in the end. */
static double beyond(const struct sca_trend_drift *d)
{
    double begin = sca_trend_begin(d), end = sca_trend_end(d), middle = d->knot[2];
    double more = d->pieces > 1 ? 2 * (end - middle) : end - begin;
    return (end + more) / begin;
}

static void add_trend(struct sca_workspace *space, const struct sca_series_point *points,
                      uint32_t n, const struct sca_shape *shape, struct sca_patterns *out)
{
    const struct sca_trend_drift *drift = &shape->drift;
    if (shape->is_line)
        add(space, out,
            (struct sca_pattern){.kind = SCA_PATTERN_DRIFT,
                                 .first = first_of(points),
                                 .last = points[n - 1].number,
                                 .within = 1,
                                 .at = begin_of(points, 0),
                                 .ratio = sca_trend_end(drift) / sca_trend_begin(drift),
                                 .begin = sca_trend_begin(drift),
                                 .end = sca_trend_end(drift),
                                 .beyond = beyond(drift)});
    else if (shape->levels.level[0] > 0)
        add_steps(space, points, &shape->levels, out);
}

/* Points of one size lie at equal distances. */
static bool is_even(const struct sca_series_point *points, uint32_t n)
{
    for (uint32_t i = 2; i + 1 < n; i++)
        if (points[i].iterations != points[1].iterations)
            return false;
    return true;
}

/* Iterations of a point; the first and the last may have fewer. */
static uint32_t width_of(const struct sca_series_point *points, uint32_t n)
{
    return is_even(points, n) ? points[1].iterations : 1;
}

/* Points of a width end at the same iterations, the first one too. */
static uint64_t first_of_period(const struct sca_series_point *points,
                                const struct sca_trend_period *found)
{
    uint64_t first = points[0].number + 1 + found->first;
    while (first < first_of(points) + points[1].iterations)
        first += found->period;
    return first - points[1].iterations;
}

static struct sca_pattern period_of(const struct sca_series_point *points, uint32_t n,
                                    const struct sca_trend_period *found)
{
    return (struct sca_pattern){.kind = SCA_PATTERN_PERIOD,
                                .first = first_of_period(points, found),
                                .last = points[n - 1].number,
                                .within = found->within,
                                .period = (uint32_t)found->period,
                                .periods = (uint32_t)found->periods,
                                .or_less = found->or_less,
                                .at = begin_of(points, found->at),
                                .ratio = found->ratio};
}

static void add_recurring(struct sca_workspace *space, const struct sca_series_point *points,
                          uint32_t n, const struct sca_shape *shape, struct sca_patterns *out)
{
    if (shape->leading.n)
        add(space, out,
            (struct sca_pattern){.kind = SCA_PATTERN_WARM_UP,
                                 .first = first_of(points),
                                 .last = points[shape->leading.n - 1].number,
                                 .within = points[0].iterations,
                                 .at = begin_of(points, 0),
                                 .ratio = shape->leading.ratio});
    for (uint32_t i = 0; i < shape->periods.n && is_even(points, n); i++)
        add(space, out, period_of(points, n, &shape->periods.period[i]));
}

void sca_patterns_of(struct sca_workspace *space, const struct sca_series_point *points,
                     const double *each, uint32_t n, struct sca_patterns *out)
{
    *out = (struct sca_patterns){0};
    if (n < 2)
        return;
    const struct sca_shape shape = sca_shape_of(space, each, n, width_of(points, n));
    add_trend(space, points, n, &shape, out);
    add_recurring(space, points, n, &shape, out);
}

/* ---- ranks against the others ---- */

/* What the usual rank took in a cell: at least half of the ranks took no more. Where half of them
 * change, they are no usual ones. */
static double usual_in(const struct sca_series *s, const struct sca_series_section *section,
                       uint32_t cell, double *room)
{
    for (uint32_t k = 0; k < s->nranks; k++)
        room[k] = s->own[(size_t)k * s->nrank_points + section->rank_first + cell];
    return sca_median_select(room, s->nranks, (s->nranks - 1) / 2);
}

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
    double *room = sca_workspace_alloc(space, s->nranks, sizeof *room);
    for (uint32_t i = 0; i < section->npoints; i++) {
        const struct sca_series_point *p = &s->points[section->first + i];
        struct sca_series_point *to = &c.points[i / section->factor];
        to->number = p->number;
        to->iterations += p->iterations;
        to->end = p->end;
        to->span += p->span;
    }
    for (uint32_t i = 0; i < c.n; i++)
        c.others[i] = usual_in(s, section, i, room);
    return c;
}

static struct sca_shape *look_at_ranks(struct sca_workspace *space, const struct sca_series *s,
                                       const struct sca_series_section *section,
                                       const struct cells *c)
{
    struct sca_shape *all = sca_workspace_alloc(space, s->nranks, sizeof *all);
    double *x = sca_workspace_alloc(space, c->n, sizeof *x);
    for (uint32_t k = 0; k < s->nranks; k++) {
        const float *own = s->own + (size_t)k * s->nrank_points + section->rank_first;
        for (uint32_t i = 0; i < c->n; i++)
            x[i] = c->others[i] > 0 ? own[i] / c->others[i] : 1;
        all[k] = sca_shape_of(space, x, c->n, width_of(c->points, c->n));
        if (all[k].is_line)
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
                        const struct cells *c, struct sca_shape *all, uint32_t rank,
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

/* What the others take in an iteration, usually. */
static double usual_of_others(struct sca_workspace *space, const struct cells *c)
{
    double *each = sca_workspace_alloc(space, c->n, sizeof *each);
    for (uint32_t i = 0; i < c->n; i++)
        each[i] = c->others[i] / c->points[i].iterations;
    return sca_median(each, c->n);
}

static void add_drift_of(struct sca_workspace *space, const struct sca_series *s,
                         const struct cells *c, const struct sca_shape *all,
                         struct sca_patterns *out)
{
    uint32_t *ranks = sca_workspace_alloc(space, s->nranks, sizeof *ranks), n = 0;
    double *of[3]; /* ratio, beginning to the others, ratio after as many iterations again */
    for (int i = 0; i < 3; i++)
        of[i] = sca_workspace_alloc(space, s->nranks, sizeof **of);
    for (uint32_t k = 0; k < s->nranks; k++) {
        const struct sca_trend_drift *d = &all[k].drift;
        if (!all[k].is_line || sca_trend_end(d) / sca_trend_begin(d) < least_ratio)
            continue;
        ranks[n] = s->ranks[k];
        of[0][n] = sca_trend_end(d) / sca_trend_begin(d);
        of[1][n] = sca_trend_begin(d);
        of[2][n++] = beyond(d);
    }
    if (!n || 2 * n > s->nranks)
        return;
    double ratio = sca_median(of[0], n), begin = sca_median(of[1], n) * usual_of_others(space, c);
    add(space, out,
        (struct sca_pattern){.kind = SCA_PATTERN_DRIFT,
                             .first = first_of(c->points),
                             .last = c->points[c->n - 1].number,
                             .within = 1,
                             .at = begin_of(c->points, 0),
                             .ratio = ratio,
                             .begin = begin,
                             .end = ratio * begin,
                             .beyond = sca_median(of[2], n),
                             .nranks = n,
                             .ranks = ranks});
}

/* ---- what recurs on a rank, where the times of others hide it ---- */

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Whether they may be one, for all that their points tell. */
static bool is_same_period(const struct sca_pattern *a, const struct sca_pattern *b)
{
    return a->kind == SCA_PATTERN_PERIOD && b->kind == SCA_PATTERN_PERIOD &&
           2 * apart(a->period, b->period) < (uint64_t)a->periods + b->periods &&
           2 * apart(a->first, b->first) < a->within + b->within;
}

static const struct sca_pattern *same_period(const struct sca_patterns *list,
                                             const struct sca_pattern *p)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (is_same_period(&list->list[i], p))
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

/* What ranks do against the others. Most of them would be the others. */
static void find_periods_of_ranks(struct sca_workspace *space, const struct sca_series *s,
                                  const struct cells *c, const struct sca_shape *of,
                                  struct rank_periods *all)
{
    uint32_t ranks = 0;
    all->ranks =
        sca_workspace_alloc(space, (size_t)s->nranks * SCA_TREND_PERIODS, sizeof *all->ranks);
    for (uint32_t k = 0; k < s->nranks && is_even(c->points, c->n); k++)
        for (uint32_t i = 0; i < of[k].periods.n; i++)
            add_period_of(space, s, k, period_of(c->points, c->n, &of[k].periods.period[i]), all);
    for (uint32_t i = 0; i < all->list.n; i++)
        ranks += all->list.list[i].nranks;
    if (2 * ranks > s->nranks)
        all->list.n = 0;
}

/* Not what all ranks do. `slowest`: what points show of the slowest rank, whichever it is, and
 * better than the coarser series of ranks. */
static void add_periods_of_ranks(struct sca_workspace *space, const struct sca_patterns *list,
                                 struct sca_patterns *slowest, struct sca_patterns *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct sca_pattern p = list->list[i];
        const struct sca_pattern *same = same_period(slowest, &p);
        if (same_period(out, &p))
            continue;
        if (same) {
            p = *same;
            p.ratio = list->list[i].ratio;
            p.nranks = list->list[i].nranks;
            p.ranks = list->list[i].ranks;
        }
        add(space, out, p);
    }
    for (uint32_t i = 0; i < slowest->n; i++)
        if (!same_period(out, &slowest->list[i]))
            add(space, out, slowest->list[i]);
}

static void add_trends_of_ranks(struct sca_workspace *space, const struct sca_series *s,
                                const struct cells *c, struct sca_shape *of,
                                struct sca_patterns *out)
{
    for (uint32_t k = 0; k < s->nranks; k++)
        if (of[k].levels.n > 1 && is_large(of[k].levels.level[1] / of[k].levels.level[0]))
            add_step_of(space, s, c, of, k, out);
    add_drift_of(space, s, c, of, out);
}

static bool add_rotation(struct sca_workspace *space, const struct sca_series *s,
                         const struct sca_series_point *points, uint32_t n,
                         struct sca_patterns *out)
{
    const struct sca_rotation r = sca_rotation_of(space, points, n, s->nranks);
    if (!r.is_real || (r.turn && !is_even(points, n)))
        return false;
    add(space, out,
        (struct sca_pattern){.kind = SCA_PATTERN_ROTATES,
                             .first = first_of(points),
                             .last = points[n - 1].number,
                             .within = points[0].iterations,
                             .period = r.turn * points[1].iterations,
                             .periods = points[1].iterations,
                             .at = begin_of(points, 0),
                             .ratio = r.ratio});
    return true;
}

/* What the usual rank does; if nothing recurs there, it may on the slowest alone. */
static void add_all(struct sca_workspace *space, const struct sca_series_point *points,
                    const double *usual, const double *most, uint32_t n, struct sca_patterns *out,
                    struct sca_patterns *slowest)
{
    const struct sca_shape shape = sca_shape_of(space, usual, n, width_of(points, n));
    add_trend(space, points, n, &shape, out);
    uint32_t before = out->n;
    add_recurring(space, points, n, &shape, out);
    if (out->n > before)
        return;
    const struct sca_shape of_most = sca_shape_of(space, most, n, width_of(points, n));
    add_recurring(space, points, n, &of_most, slowest);
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
    const struct cells c = cells_of(space, series, section);
    for (uint32_t i = 0; i < n; i++) {
        double of_ranks = section->factor == 1 ? c.others[i] : points[i].own.median;
        usual[i] = of_ranks / points[i].iterations;
        most[i] = points[i].own.max / points[i].iterations;
    }
    struct sca_patterns slowest = {0};
    struct rank_periods of_ranks = {{0}, NULL};
    add_all(space, points, usual, most, n, out, &slowest);
    struct sca_shape *ranks =
        series->nranks > 1 && c.n > 1 ? look_at_ranks(space, series, section, &c) : NULL;
    if (ranks)
        add_trends_of_ranks(space, series, &c, ranks, out);
    bool rotates = add_rotation(space, series, points, n, out);
    if (ranks && !rotates)
        find_periods_of_ranks(space, series, &c, ranks, &of_ranks);
    add_periods_of_ranks(space, &of_ranks.list, &slowest, out);
}

bool sca_pattern_may_be_cores(const struct sca_pattern *p)
{
    double most = p->nranks ? SCA_SHARED_CORES : SCA_MOST_CORE_SPEED;
    bool changes = p->kind == SCA_PATTERN_STEP || p->kind == SCA_PATTERN_DRIFT;
    return changes && p->ratio < most && p->ratio * most > 1;
}

/* Whether more of the period's iterations lie in the point than in others. */
static bool recurs_in(const struct sca_pattern *p, const struct sca_series_point *point)
{
    uint64_t first = first_of(point) > p->first ? first_of(point) - p->first : 0;
    uint64_t end = point->number + 1 > p->first ? point->number + 1 - p->first : 0;
    uint64_t of = p->period;
    return of && (end + of - 1) / of - (first + of - 1) / of > point->iterations / of;
}

static bool is_in(const struct sca_pattern *p, const struct sca_series_point *point)
{
    if (p->kind == SCA_PATTERN_STEP)
        return point->number >= p->first;
    if (p->kind == SCA_PATTERN_WARM_UP)
        return point->number <= p->last;
    return recurs_in(p, point);
}

bool sca_pattern_is_all(const struct sca_pattern *p, const struct sca_series_point *points,
                        const double *ratio, uint32_t n)
{
    double sum[2] = {0, 0}, of[2] = {0, 0};
    if (p->kind == SCA_PATTERN_DRIFT)
        return p->begin - 1 <= SCA_QUARTER * (p->end - 1);
    for (uint32_t i = 0; i < n; i++) {
        bool in = is_in(p, &points[i]);
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

static void put_period(const struct sca_pattern *p, char words[SCA_PATTERN_WORDS])
{
    snprintf(words, SCA_PATTERN_WORDS, "%severy %u%s iteration%s", p->periods > 1 ? "about " : "",
             p->period, ending(p->period), p->or_less ? " or more often" : "");
}

const char *sca_pattern_acts(const struct sca_pattern *p, char words[SCA_PATTERN_WORDS])
{
    if (p->kind == SCA_PATTERN_STEP)
        put_step(p, words);
    else if (p->kind == SCA_PATTERN_DRIFT)
        put_drift(p, words);
    else if (p->kind == SCA_PATTERN_PERIOD)
        put_period(p, words);
    else if (p->kind == SCA_PATTERN_WARM_UP && p->last > 1)
        snprintf(words, SCA_PATTERN_WORDS, "in the first %llu iterations",
                 (unsigned long long)p->last);
    else if (p->kind == SCA_PATTERN_WARM_UP)
        snprintf(words, SCA_PATTERN_WORDS, "in the first iteration");
    else if (p->period)
        snprintf(words, SCA_PATTERN_WORDS, "on another rank every %s%u iterations",
                 p->periods > 1 ? "about " : "", p->period);
    else
        snprintf(words, SCA_PATTERN_WORDS, "on another rank in each iteration");
    return words;
}
