#include "series/shape.h"

#include <math.h>
#include <string.h>

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
 * for many steps are near to anything: a line has a number for each of its ends and bends, a list
 * of levels one for each and one for each change. */
static bool is_line(const struct sca_trend_drift *d, const double *x, uint32_t n,
                    const struct sca_trend_levels *l)
{
    double more = 2.0 * l->n - 1 - (d->pieces + 1);
    return d->is_real && d->error < distance_from_levels(x, n, l) * sca_trend_penalty(more, n);
}

static void find_trend(struct sca_workspace *space, const double *x, uint32_t n,
                       struct sca_shape *out)
{
    sca_trend_levels(space, x, n, &out->levels);
    out->drift = sca_trend_drift(space, x, n);
    out->is_line = is_line(&out->drift, x, n, &out->levels);
}

/* Divided by the line or the levels. */
static double *level_out(struct sca_workspace *space, const double *x, uint32_t n,
                         const struct sca_shape *s)
{
    double *flat = sca_workspace_alloc(space, n, sizeof *flat);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        while (k + 1 < s->levels.n && i >= s->levels.first[k + 1])
            k++;
        double level = s->is_line ? sca_trend_drift_at(&s->drift, n, i) : s->levels.level[k];
        flat[i] = level > 0 ? x[i] / level : 1;
    }
    return flat;
}

/* What begins or recurs beside the line or the levels. */
static void find_beside(struct sca_workspace *space, const double *x, uint32_t n, uint32_t width,
                        struct sca_shape *s)
{
    const double *flat = level_out(space, x, n, s);
    s->leading = sca_trend_leading(space, flat, n);
    s->periods = sca_trend_periods(space, flat, n, width, s->leading.n);
}

/* Levels begin at numbers of the whole list again. `at`: where those of the part stand in it. */
static void place_levels(struct sca_trend_levels *l, const uint32_t *at)
{
    for (uint32_t k = 1; k < l->n; k++)
        l->first[k] = at[l->first[k]];
}

/* The line or the levels of what does not recur: so many iterations that take many times as long
 * are near to no line, and make levels of their own. */
static void find_trend_of_others(struct sca_workspace *space, const double *x, uint32_t n,
                                 struct sca_shape *s)
{
    double *others = sca_workspace_alloc(space, n, sizeof *others);
    uint32_t *at = sca_workspace_alloc(space, n, sizeof *at), count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!s->periods.recurs[i]) {
            at[count] = i;
            others[count++] = x[i];
        }
    find_trend(space, others, count, s);
    place_levels(&s->levels, at);
}

struct sca_shape sca_shape_of(struct sca_workspace *space, const double *x, uint32_t n,
                              uint32_t width)
{
    struct sca_shape s = {0};
    find_trend(space, x, n, &s);
    find_beside(space, x, n, width, &s);
    if (!s.periods.n)
        return s;
    find_trend_of_others(space, x, n, &s);
    find_beside(space, x, n, width, &s);
    return s;
}
