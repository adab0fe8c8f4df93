/* What each iteration of a main loop took over the run: curves in blocks, then what changes, the
 * clusters of similar iterations and the phases that the program names. */
#include "sca_error.h"
#include "series_tables.h"
#include "time_panes.h"
#include "view.h"

#include <math.h>
#include <stdio.h>

enum { NAME = 13, FIGURE = 11, NARROWEST = 8, LEAST_POINTS = 4, MEDIAN = 1, MOST = 2 };

static const struct sca_report_series_loop *loop_of(const struct sca_model *model,
                                                    const struct sca_series_look *look)
{
    const struct sca_report_series *s = &model->report->series;
    const struct sca_report_series_loop *l =
        s->nloops ? &s->loops[look->loop < s->nloops ? look->loop : 0] : NULL;
    return l && l->npoints ? l : NULL;
}

/* ---- which points are shown ---- */

static uint32_t end_of(const struct sca_report_series_loop *l, const struct sca_series_look *look)
{
    return look->end > look->first && look->end <= l->npoints ? look->end : l->npoints;
}

static uint32_t first_of(const struct sca_report_series_loop *l, const struct sca_series_look *look)
{
    return end_of(l, look) == look->end ? look->first : 0;
}

static uint32_t point_of(const struct sca_report_series_loop *l, const struct sca_series_look *look)
{
    return look->point < l->npoints ? look->point : l->npoints - 1;
}

static int columns_of(const struct sca_report_series_loop *l, const struct sca_series_look *look,
                      int width)
{
    uint32_t n = end_of(l, look) - first_of(l, look);
    int room = width - NAME - FIGURE;
    room = room > NARROWEST ? room : NARROWEST;
    return n < (uint32_t)room ? (int)n : room;
}

/* Points first..end-1 of a column; at least one. */
struct part {
    uint32_t first, end;
};

static struct part part_of(const struct sca_report_series_loop *l,
                           const struct sca_series_look *look, int column, int columns)
{
    uint64_t first = first_of(l, look), n = end_of(l, look) - first;
    return (struct part){(uint32_t)(first + n * (uint64_t)column / (uint64_t)columns),
                         (uint32_t)(first + n * ((uint64_t)column + 1) / (uint64_t)columns)};
}

/* ---- curves ---- */

struct curve {
    struct sca_lines *lines;
    const struct sca_report_series_loop *loop;
    const struct sca_series_look *look;
    int columns;
};

/* Of one iteration, or as it is where it is no time. NAN: not known. */
static double value_of(const struct sca_report_series_loop *l, int column, uint32_t point)
{
    bool time = column >= SCA_SERIES_SPAN_S && column <= SCA_SERIES_OFF_CPU_MAX_S;
    return l->points[column][point] / (time ? l->points[SCA_SERIES_POINT_ITERATIONS][point] : 1.0);
}

/* The greatest of the points of a place: a rare one is seen. */
static double greatest(const struct curve *c, int column, struct part part)
{
    double most = (double)NAN;
    for (uint32_t i = part.first; i < part.end; i++)
        most = fmax(most, value_of(c->loop, column, i)); /* of NAN and another, the other */
    return most;
}

static struct part all_of(const struct curve *c)
{
    return (struct part){first_of(c->loop, c->look), end_of(c->loop, c->look)};
}

/* Eighths of a row's height that a part of the whole height fills. */
static void put_eighths(const struct curve *c, double part, int row, int rows)
{
    int eighths = (int)ceil(part * rows * SCA_LEVELS) - row * SCA_LEVELS;
    if (!(part > 0) || eighths <= 0)
        sca_lines_add(c->lines, "%s", row ? " " : sca_text_glyphs()->levels[0]);
    else
        sca_lines_add(c->lines, "%s",
                      sca_text_glyphs()->levels[(eighths < SCA_LEVELS ? eighths : SCA_LEVELS) - 1]);
}

/* `rows` lines, the highest first; the name stands before the last, the greatest value behind the
 * first. */
static void put_curve(const struct curve *c, const char *name, int column, double top, int rows)
{
    char text[24];
    double most = greatest(c, column, all_of(c));
    for (int row = rows - 1; row >= 0; row--) {
        sca_lines_begin(c->lines, SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(c->lines, "%-*s", NAME, row == rows - 1 ? name : "");
        for (int i = 0; i < c->columns; i++) {
            double value = greatest(c, column, part_of(c->loop, c->look, i, c->columns));
            if (isnan(value))
                sca_lines_add(c->lines, "%s", row ? " " : "?");
            else
                put_eighths(c, top > 0 ? fmin(value / top, 1) : 0, row, rows);
        }
        if (row == rows - 1)
            sca_lines_add(c->lines, " %s%s",
                          column < SCA_SERIES_MEMORY_BYTES ? sca_label_seconds(most, text)
                                                           : sca_label_metric(most, "", text),
                          column == SCA_SERIES_MEMORY_BYTES ? "B" : "");
    }
}

/* A letter of each place's cluster: of several the rarest, so that it is seen. */
static void put_clusters(const struct curve *c)
{
    sca_lines_begin(c->lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(c->lines, "%-*s", NAME, "cluster");
    for (int i = 0; i < c->columns; i++) {
        struct part part = part_of(c->loop, c->look, i, c->columns);
        uint32_t rarest = (uint32_t)c->loop->points[SCA_SERIES_CLUSTER][part.first];
        for (uint32_t p = part.first + 1; p < part.end; p++) {
            uint32_t other = (uint32_t)c->loop->points[SCA_SERIES_CLUSTER][p];
            if (c->loop->clusters[other].iterations < c->loop->clusters[rarest].iterations)
                rarest = other;
        }
        sca_lines_add(c->lines, "%c", sca_series_letter(rarest));
    }
}

/* The number of each place's phase, from 1 on; 0: the tenth, and so on. */
static void put_phases(const struct curve *c)
{
    sca_lines_begin(c->lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(c->lines, "%-*s", NAME, "phase");
    for (int i = 0; i < c->columns; i++) {
        uint32_t point = part_of(c->loop, c->look, i, c->columns).first;
        double phase = c->loop->points[SCA_SERIES_PHASE][point];
        sca_lines_add(c->lines, "%c", phase < 0 ? '.' : '0' + ((int)phase + 1) % 10);
    }
}

/* Full height: but for one point in thirty, none is higher. */
static double height_of(const struct curve *c)
{
    enum { RARE = 30 };
    struct part all = all_of(c);
    double top = greatest(c, SCA_SERIES_OWN_S + MOST, all), least = 0;
    uint32_t allowed = (all.end - all.first) / RARE;
    for (int step = 0; step < 32; step++) { /* halves what is not known of it */
        double middle = (least + top) / 2;
        uint32_t above = 0;
        for (uint32_t i = all.first; i < all.end; i++)
            above += value_of(c->loop, SCA_SERIES_OWN_S + MOST, i) > middle;
        if (above > allowed)
            least = middle;
        else
            top = middle;
    }
    return top;
}

static void put_curves(const struct curve *c, const struct sca_model *model, int rows)
{
    double top = height_of(c);
    struct part all = all_of(c);
    put_curve(c, "own, slowest", SCA_SERIES_OWN_S + MOST, top, rows);
    put_curve(c, "own, median", SCA_SERIES_OWN_S + MEDIAN, top, rows > 2 ? rows / 2 : 1);
    put_curve(c, "in MPI", SCA_SERIES_MPI_S + MEDIAN, greatest(c, SCA_SERIES_MPI_S + MEDIAN, all),
              1);
    if (greatest(c, SCA_SERIES_OFF_CPU_MAX_S, all) > 0)
        put_curve(c, "off-CPU", SCA_SERIES_OFF_CPU_MAX_S,
                  greatest(c, SCA_SERIES_OFF_CPU_MAX_S, all), 1);
    put_curve(c, "memory", SCA_SERIES_MEMORY_BYTES, greatest(c, SCA_SERIES_MEMORY_BYTES, all), 1);
    put_curve(c, "load balance", SCA_SERIES_EFFICIENCY, 1, 1);
    put_clusters(c);
    if (model->report->series.nphases)
        put_phases(c);
}

/* ---- the head ---- */

static double first_iteration(const struct sca_report_series_loop *l, uint32_t point)
{
    return l->points[SCA_SERIES_LAST_ITERATION][point] -
           l->points[SCA_SERIES_POINT_ITERATIONS][point] + 1;
}

static void put_what(const struct curve *c, const struct sca_model *model, int width)
{
    const struct sca_report_series *s = &model->report->series;
    struct part all = all_of(c);
    char text[256], left_out[48] = "";
    if (s->nleft_out)
        snprintf(left_out, sizeof left_out, ", %u left out", s->nleft_out);
    snprintf(text, sizeof text,
             "Loop %u of %u: iterations %.0f to %.0f, %u rank%s%s, second %.3g to %.3g%s",
             (uint32_t)(c->loop - s->loops) + 1, s->nloops, first_iteration(c->loop, all.first),
             c->loop->points[SCA_SERIES_LAST_ITERATION][all.end - 1], s->nranks,
             s->nranks == 1 ? "" : "s", left_out, c->loop->points[SCA_SERIES_BEGIN_S][all.first],
             c->loop->points[SCA_SERIES_BEGIN_S][all.end - 1] +
                 c->loop->points[SCA_SERIES_SPAN_S][all.end - 1],
             s->shared_cores ? "; in MPI: mostly scheduling" : "");
    sca_lines_begin(c->lines, SCA_HEADER, c->loop->vertex);
    sca_lines_text(c->lines, text, width, SCA_CUT_END);
}

static void put_point(const struct curve *c, const struct sca_model *model, int width)
{
    uint32_t p = point_of(c->loop, c->look);
    double n = c->loop->points[SCA_SERIES_POINT_ITERATIONS][p];
    double phase = c->loop->points[SCA_SERIES_PHASE][p];
    char own[16], most[16], mpi[16], text[256], numbers[64], name[64] = "";
    snprintf(numbers, sizeof numbers, n > 1 ? "%.0f-%.0f" : "%.0f", first_iteration(c->loop, p),
             c->loop->points[SCA_SERIES_LAST_ITERATION][p]);
    if (phase >= 0)
        snprintf(name, sizeof name, ", in %.48s",
                 model->report->series.phases[(uint32_t)phase].name);
    snprintf(text, sizeof text,
             "Iteration %s: own %s, slowest %s (rank %.0f), in MPI %s, cluster %c%s", numbers,
             sca_label_seconds(value_of(c->loop, SCA_SERIES_OWN_S + MEDIAN, p), own),
             sca_label_seconds(value_of(c->loop, SCA_SERIES_OWN_S + MOST, p), most),
             c->loop->points[SCA_SERIES_SLOWEST_RANK][p],
             sca_label_seconds(value_of(c->loop, SCA_SERIES_MPI_S + MEDIAN, p), mpi),
             sca_series_letter((uint32_t)c->loop->points[SCA_SERIES_CLUSTER][p]), name);
    sca_lines_begin(c->lines, SCA_MARKED, SCA_NO_VERTEX);
    sca_lines_text(c->lines, text, width, SCA_CUT_END);
}

static int column_of(const struct sca_report_series_loop *l, const struct sca_series_look *look,
                     int columns)
{
    uint32_t point = point_of(l, look);
    for (int i = 0; i < columns; i++)
        if (point < part_of(l, look, i, columns).end)
            return i;
    return columns - 1;
}

/* Marks of the range below which the places in it lie. */
static void put_range(const struct curve *c, const struct sca_time_range *r)
{
    for (int i = 0; i < c->columns; i++) {
        struct part part = part_of(c->loop, c->look, i, c->columns);
        bool inside = first_iteration(c->loop, part.first) <= r->to &&
                      c->loop->points[SCA_SERIES_LAST_ITERATION][part.end - 1] >= r->from;
        bool here = i == column_of(c->loop, c->look, c->columns);
        sca_lines_add(c->lines, "%s",
                      here     ? sca_text_glyphs()->below
                      : inside ? sca_text_glyphs()->rule
                               : " ");
    }
}

static void put_ruler(const struct curve *c, const struct sca_model *model)
{
    sca_lines_begin(c->lines, SCA_PLAIN, SCA_NO_VERTEX);
    if (model->range.chosen && c->loop == &model->report->series.loops[model->range.loop]) {
        sca_lines_add(c->lines, "%-*s", NAME, "range");
        put_range(c, &model->range);
        return;
    }
    sca_lines_pad(c->lines, NAME + column_of(c->loop, c->look, c->columns));
    sca_lines_add(c->lines, "%s", sca_text_glyphs()->below);
}

void sca_series_pane(struct sca_pane *pane, const struct sca_model *model,
                     const struct sca_series_look *look, int width, int rows)
{
    struct curve c = {&pane->lines, loop_of(model, look), look, 0};
    if (!c.loop && !model->report->series.nphases) {
        sca_lines_wrap(
            &pane->lines, SCA_WARNING,
            "The report has no series: the run has no main loop that was recognised, its "
            "series was off, or an older release wrote the report.",
            0, width);
        return;
    }
    if (c.loop) {
        c.columns = columns_of(c.loop, look, width);
        put_what(&c, model, width);
        put_point(&c, model, width);
        put_ruler(&c, model);
        pane->fixed = pane->lines.count;
        put_curves(&c, model, rows);
        sca_series_changes(&pane->lines, c.loop, width);
        sca_series_clusters(&pane->lines, model, c.loop, width);
    }
    sca_series_phases(&pane->lines, model, width);
}

/* ---- keys ---- */

static void show_part(struct sca_series_look *look, const struct sca_report_series_loop *l,
                      int64_t first, int64_t n)
{
    if (n >= l->npoints || n < 1) {
        look->first = look->end = 0;
        return;
    }
    first = first + n > l->npoints ? l->npoints - n : first;
    look->first = first > 0 ? (uint32_t)first : 0;
    look->end = look->first + (uint32_t)n;
}

static void zoom(struct sca_series_look *look, const struct sca_report_series_loop *l, bool in)
{
    int64_t first = first_of(l, look), n = end_of(l, look) - first;
    int64_t next = in ? n / 2 : 2 * n;
    if (in && next < LEAST_POINTS)
        return;
    show_part(look, l, point_of(l, look) - (point_of(l, look) - first) * next / n, next);
}

static void move(struct sca_series_look *look, const struct sca_report_series_loop *l, int64_t by)
{
    int64_t first = first_of(l, look), n = end_of(l, look) - first, at = point_of(l, look) + by;
    at = at < 0 ? 0 : at >= l->npoints ? l->npoints - 1 : at;
    look->point = (uint32_t)at;
    if (at < first || at >= first + n)
        show_part(look, l, at - n / 2, n);
}

bool sca_series_key(struct sca_series_look *look, const struct sca_model *model, int key)
{
    const struct sca_report_series_loop *l = loop_of(model, look);
    if (key == 'o' && model->report->series.nloops > 1)
        *look = (struct sca_series_look){.loop = (look->loop + 1) % model->report->series.nloops};
    else if (!l)
        return false;
    else if (key == '+' || key == '-')
        zoom(look, l, key == '+');
    else if (key == '=')
        look->first = look->end = 0;
    else if (key == '<' || key == '>')
        move(look, l,
             (key == '>' ? 1 : -1) * ((int64_t)(end_of(l, look) - first_of(l, look)) / 8 + 1));
    else if (key == SCA_KEY_LEFT || key == 'h' || key == SCA_KEY_RIGHT || key == 'l')
        move(look, l, key == SCA_KEY_RIGHT || key == 'l' ? 1 : -1);
    else
        return false;
    return true;
}

int sca_series_mark(struct sca_series_look *look, struct sca_model *model)
{
    const struct sca_report_series_loop *l = loop_of(model, look);
    double from = look->from;
    if (!l)
        return SCA_OK;
    uint32_t p = point_of(l, look);
    look->from = 0;
    if (model->range.chosen) {
        sca_time_range_close(&model->range);
        return SCA_OK;
    }
    if (from > 0)
        return sca_time_range_choose(
            &model->range, model->report, (uint32_t)(l - model->report->series.loops), from,
            from <= first_iteration(l, p) ? l->points[SCA_SERIES_LAST_ITERATION][p]
                                          : first_iteration(l, p));
    look->from = first_iteration(l, p);
    return SCA_OK;
}

void sca_series_click(struct sca_series_look *look, const struct sca_model *model, int column,
                      int width)
{
    const struct sca_report_series_loop *l = loop_of(model, look);
    int columns = l ? columns_of(l, look, width) : 0, at = column - NAME;
    if (at >= 0 && at < columns)
        look->point = part_of(l, look, at, columns).first;
}
