#include "activity/class_leavers.h"
#include "series/shape.h"
#include "stats/median.h"

#include <math.h>
#include <stdlib.h>

/* A rank has left if it goes on otherwise for so many points, by more than this part, and by more
 * than so many times what it varies before and after. So few ranks that others of the class stay.
 */
enum { LEAST_MEMBERS = 3, LEAST_POINTS = 3, LEFT = 20, LEFT_SHARED = 40, CLEARLY = 4 };

struct leaving_class {
    struct sca_workspace *space;
    const struct sca_series *series;
    const struct sca_series_section *section; /* the one with most points of ranks */
    const struct sca_rank_shapes *shapes;
    double least;   /* part by which ranks that left differ */
    double *ratio;  /* [point] of a rank, to those with its graph */
    double *column; /* [rank with the graph] */
    double *median; /* [point] of the graph */
    struct sca_class_leavers *out;
    uint32_t room;
};

static const struct sca_series_section *longest(const struct sca_series *series)
{
    const struct sca_series_section *best = NULL;
    for (uint32_t i = 0; i < series->nsections; i++)
        if (!best || series->sections[i].nrank_points > best->nrank_points)
            best = &series->sections[i];
    return best;
}

/* The points of the i-th rank of the series, in the section. */
static const float *points_of(const struct leaving_class *l, uint32_t i)
{
    return &l->series->own[(size_t)i * l->series->nrank_points + l->section->rank_first];
}

/* Of those that are in the series; returns how many. */
static uint32_t find_medians(const struct leaving_class *l, uint32_t shape)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < l->section->nrank_points; p++) {
        n = 0;
        for (uint32_t i = 0; i < l->series->nranks; i++)
            if (l->shapes->of[l->series->ranks[i]] == shape)
                l->column[n++] = points_of(l, i)[p];
        l->median[p] = sca_median(l->column, n);
    }
    return n;
}

struct level_change {
    uint32_t at; /* the first point of the new level; 0: none */
    double before, after, deviation;
};

static double squares_of(const double *x, uint32_t n, double *mean)
{
    double squares = 0;
    *mean = 0;
    for (uint32_t i = 0; i < n; i++)
        *mean += x[i] / n;
    for (uint32_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean);
    return squares;
}

static struct level_change find_change(const double *x, uint32_t n)
{
    struct level_change best = {0};
    double least = INFINITY;
    for (uint32_t at = LEAST_POINTS; at + LEAST_POINTS <= n; at++) {
        double before, after;
        double squares = squares_of(x, at, &before) + squares_of(x + at, n - at, &after);
        if (squares < least) {
            least = squares;
            best = (struct level_change){at, before, after, sqrt(squares / n)};
        }
    }
    return best;
}

static bool has_left(const struct leaving_class *l, const struct level_change *c)
{
    double apart = fabs(c->after - c->before);
    return c->at && apart > l->least * c->before && apart > CLEARLY * c->deviation &&
           fabs(c->before - 1) < fabs(c->after - 1);
}

/* Growth all along is no change at some point. */
static bool is_drift(const struct leaving_class *l, uint32_t n)
{
    return sca_shape_of(l->space, l->ratio, n, 1).is_line;
}

static void append(struct leaving_class *l, uint32_t rank, const struct level_change *c)
{
    struct sca_class_leavers *out = l->out;
    const struct sca_series_section *s = l->section;
    if (out->n == l->room) {
        l->room = l->room ? 2 * l->room : 8;
        out->of = sca_workspace_grow(l->space, out->of, out->n, l->room, sizeof *out->of);
    }
    uint32_t point = c->at * s->factor - 1; /* the last one of before, of the loop's own */
    point = point < s->npoints ? point : s->npoints - 1;
    const struct sca_series_point *last = &l->series->points[s->first + point];
    out->of[out->n++] = (struct sca_class_leaver){.rank = rank,
                                                  .iteration = last->number + 1,
                                                  .at_s = last->end,
                                                  .before = c->before,
                                                  .after = c->after};
}

static void look_at_rank(struct leaving_class *l, uint32_t i)
{
    const float *points = points_of(l, i);
    uint32_t n = 0;
    for (uint32_t p = 0; p < l->section->nrank_points; p++)
        if (l->median[p] > 0)
            l->ratio[n++] = points[p] / l->median[p];
    struct level_change c = find_change(l->ratio, n);
    if (n == l->section->nrank_points && has_left(l, &c) && !is_drift(l, n))
        append(l, l->series->ranks[i], &c);
}

static int by_rank(const void *a, const void *b)
{
    const struct sca_class_leaver *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

void sca_class_leavers_find(struct sca_workspace *space, const struct sca_series *series,
                            const struct sca_rank_shapes *shapes, bool shared,
                            struct sca_class_leavers *out)
{
    *out = (struct sca_class_leavers){0};
    struct leaving_class l = {.space = space, .series = series, .shapes = shapes, .out = out};
    l.section = series ? longest(series) : NULL;
    l.least = (shared ? LEFT_SHARED : LEFT) / 100.0;
    if (!l.section || !series->nranks)
        return;
    l.ratio = sca_workspace_alloc(space, l.section->nrank_points, sizeof *l.ratio);
    l.median = sca_workspace_alloc(space, l.section->nrank_points, sizeof *l.median);
    l.column = sca_workspace_alloc(space, series->nranks, sizeof *l.column);
    for (uint32_t shape = 0; shape < shapes->n; shape++) {
        if (shapes->members[shape] < LEAST_MEMBERS || find_medians(&l, shape) < LEAST_MEMBERS)
            continue;
        for (uint32_t i = 0; i < series->nranks; i++)
            if (shapes->of[series->ranks[i]] == shape)
                look_at_rank(&l, i);
    }
    if (out->n)
        qsort(out->of, out->n, sizeof *out->of, by_rank);
}
