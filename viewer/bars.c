/* One bar per rank, and below it one per thread: who takes longer, at a glance. */
#include "panes.h"
#include "sca_phrase.h"
#include "lines.h"
#include "metrics.h"
#include "model.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(const double *values, uint32_t count)
{
    double *sorted = malloc(count * sizeof *sorted), middle = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return middle;
}

static bool is_blamed(const struct sca_model *model, uint32_t vertex, uint32_t rank)
{
    uint32_t i = model->cause[vertex];
    if (i == SCA_NO_VERTEX)
        return false;
    const struct sca_report_cause *c = &model->report->causes[i];
    for (uint32_t k = 0; k < c->nranks && c->nranks < model->report->vertices[vertex].nranks; k++)
        if (c->ranks[k] == rank)
            return true;
    return false;
}

static void bar(struct sca_lines *lines, double value, double most, int room)
{
    int filled = most > 0 && value > 0 ? (int)lround(value / most * room) : 0;
    if (filled > room)
        filled = room;
    sca_lines_repeat(lines, sca_text_glyphs()->bar, filled);
    sca_lines_repeat(lines, sca_text_glyphs()->track, room - filled);
}

/* Of the largest run, whose ranks these are; "" if there is but one. */
static const char *host_of(const struct sca_model *model, uint32_t rank)
{
    const struct sca_report_run *run = sca_model_largest(model);
    for (uint32_t i = 0; run && run->nhosts > 1 && i < run->nhosts; i++)
        for (uint32_t k = 0; k < run->hosts[i].nranks; k++)
            if (run->hosts[i].ranks[k] == rank)
                return *run->hosts[i].name ? run->hosts[i].name : run->hosts[i].address;
    return "";
}

struct chart {
    const struct sca_model *model;
    uint32_t vertex;
    const char *what, *unit; /* "Time in MPI" */
    const double *values;    /* [nranks] */
    uint32_t nranks;
    double most, middle;  /* of the values */
    bool computes, below; /* it is computation, which threads have too; of all below the vertex */
    int width, places;    /* columns in all, and for places in the topology */
};

static const char *label(const struct chart *c, double value, char text[24])
{
    return sca_label_metric(value, c->unit, text);
}

/* Columns that the longest place takes, and a space; 0: there is no topology. */
static int room_for_places(const struct sca_model *model, uint32_t nranks)
{
    enum { MOST = 16 };
    char place[SCA_PHRASE];
    int room = 0;
    for (uint32_t r = 0; r < nranks && sca_model_largest(model); r++) {
        int needs = (int)strlen(sca_phrase_rank_place(place, sca_model_largest(model), r));
        room = needs >= room && needs ? needs + 1 : room;
    }
    return room < MOST ? room : MOST;
}

static void put_place(struct sca_lines *lines, const struct chart *c, uint32_t rank)
{
    char place[SCA_PHRASE];
    int column = sca_lines_width(lines);
    if (!c->places)
        return;
    sca_phrase_rank_place(place, sca_model_largest(c->model), rank);
    sca_lines_text(lines, place, c->places - 1, SCA_CUT_MIDDLE);
    sca_lines_pad(lines, column + c->places);
}

static void row(struct sca_lines *lines, const struct chart *c, uint32_t rank)
{
    const double value = c->values[rank];
    bool blamed = is_blamed(c->model, c->vertex, rank);
    const char *host = host_of(c->model, rank);
    int room = c->width - 28 - c->places - (*host ? 14 : 0);
    char text[24];
    sca_lines_begin(lines, blamed ? SCA_MARKED : SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "%s%6u ", blamed ? sca_text_glyphs()->mark : " ", rank);
    put_place(lines, c, rank);
    bar(lines, value, c->most, room > 8 ? room : 8);
    sca_lines_add(lines, " %8s", label(c, value, text));
    if (c->middle > 0)
        sca_lines_add(lines, "  %.2f%s", value / c->middle, sca_text_glyphs()->times);
    if (*host) {
        sca_lines_pad(lines, c->width - 13);
        sca_lines_text(lines, host, 13, SCA_CUT_MIDDLE);
    }
}

static void thread_bar(struct sca_lines *lines, const struct chart *c, const char *name,
                       double value)
{
    enum { INDENT = 15, FIGURES = 21 };
    int room = c->width - INDENT - FIGURES;
    char text[24];
    if (!(value > 0))
        return;
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    sca_lines_add(lines, "  %s", name);
    sca_lines_pad(lines, INDENT);
    bar(lines, value, c->most, room > 8 ? room : 8);
    sca_lines_add(lines, " %8s", label(c, value, text));
}

/* What no listed thread has of a rank; rounding may leave a little. */
static double left_of(const struct chart *c, uint32_t rank, const double *seconds, uint32_t n)
{
    double left = c->values[rank];
    for (uint32_t i = 0; i < n; i++)
        left -= seconds[i];
    return left > 1e-3 * c->values[rank] ? left : 0;
}

static bool has_several(const struct sca_report_thread_times *t, const double *seconds)
{
    for (uint32_t i = 0; i < t->nlisted; i++)
        if (t->listed[i] && seconds[i] > 0)
            return true;
    return false;
}

/* Those that have any; none where that is the first thread alone. */
static void put_threads(struct sca_lines *lines, const struct chart *c, uint32_t rank)
{
    const struct sca_report_thread_times *t = &c->model->report->thread_times;
    double seconds[SCA_MOST_THREADS_LISTED], left;
    char name[32];
    if (!c->computes || t->nlisted > SCA_MOST_THREADS_LISTED ||
        !sca_report_thread_seconds(c->model->report, c->vertex, c->below, rank, seconds))
        return;
    left = left_of(c, rank, seconds, t->nlisted);
    if (!has_several(t, seconds) && !(left > 0))
        return;
    for (uint32_t i = 0; i < t->nlisted; i++) {
        snprintf(name, sizeof name, "thread %u", t->listed[i]);
        thread_bar(lines, c, name, seconds[i]);
    }
    thread_bar(lines, c, t->left_out ? "not reported" : "others", left);
}

/* Down to the first that is blamed, else to the slowest: it may be one of many. */
static uint32_t first_seen(const struct sca_model *model, uint32_t vertex, uint32_t slowest)
{
    uint32_t i = model->cause[vertex];
    const struct sca_report_cause *c = i == SCA_NO_VERTEX ? NULL : &model->report->causes[i];
    bool some = c && c->nranks && c->nranks < model->report->vertices[vertex].nranks;
    return some ? c->ranks[0] : slowest;
}

static uint32_t find_extremes(struct chart *c, double *least)
{
    uint32_t slowest = 0;
    *least = INFINITY;
    c->most = 0;
    for (uint32_t i = 0; i < c->nranks; i++) {
        *least = fmin(*least, c->values[i]);
        slowest = c->values[i] > c->most ? i : slowest;
        c->most = fmax(c->most, c->values[i]);
    }
    return slowest;
}

static void draw(struct sca_pane *pane, struct chart *c)
{
    enum { ABOVE = 3 };
    char low[24], mid[24], high[24];
    double least;
    uint32_t slowest = find_extremes(c, &least), seen;
    c->middle = median(c->values, c->nranks);
    c->places = room_for_places(c->model, c->nranks);
    sca_lines_say(&pane->lines, SCA_HEADER,
                  "%s of each rank: least %s, median %s, most %s (rank %u)", c->what,
                  label(c, least, low), label(c, c->middle, mid), label(c, c->most, high), slowest);
    pane->fixed = pane->lines.count;
    seen = first_seen(c->model, c->vertex, slowest);
    for (uint32_t i = 0; i < c->nranks; i++) {
        if (i == (seen > ABOVE ? seen - ABOVE : 0))
            pane->top = pane->lines.count;
        row(&pane->lines, c, i);
        put_threads(&pane->lines, c, i);
    }
}

/* What of it the ranks' values lack, or why there are none. */
static bool explain(struct sca_lines *lines, const struct sca_model *model, uint32_t unknown)
{
    const struct sca_report_metric *m = &model->report->metrics[model->metric.metric];
    if (*m->absent) {
        sca_lines_say(lines, SCA_WARNING, "n/a: ");
        sca_lines_text(lines, m->absent, 0, SCA_CUT_END);
    } else if (unknown) {
        sca_lines_say(lines, SCA_WARNING,
                      "%u vertices are missing: the report has no value per rank for them.",
                      unknown);
    }
    return !*m->absent;
}

static void metric_bars(struct sca_pane *pane, struct chart *c, bool below)
{
    const struct sca_report_run *run = sca_model_largest(c->model);
    uint32_t metric = c->model->metric.metric;
    double *values = calloc(run ? run->ranks + 1ul : 1, sizeof *values);
    char what[96];
    char *title = sca_text_clean(sca_metric_title(c->model->report, metric));
    snprintf(what, sizeof what, "%.60s%s", title ? title : "?", below ? "" : ", alone,");
    free(title);
    c->nranks = values && run ? run->ranks : 0;
    c->values = values;
    c->what = what;
    c->unit = c->model->report->metrics[metric].unit;
    c->computes = !strcmp(c->model->report->metrics[metric].name, "computation");
    c->below = below;
    if (c->nranks && explain(&pane->lines, c->model,
                             sca_metric_ranks(c->model->report, metric, c->vertex, below, values)))
        draw(pane, c);
    free(values);
}

void sca_bars_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex,
                   bool below, int width)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    struct chart c = {.model = model, .vertex = vertex, .unit = "s", .width = width};
    if (model->metric.metric != SCA_NO_METRIC) {
        metric_bars(pane, &c, below);
        return;
    }
    if (model->range.chosen)
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "Of the whole run: ranks of a place are not known over time.");
    c.values = sca_model_rank_s(model, vertex, &c.nranks);
    c.computes = strcmp(v->kind, "mpi") && !model->range.chosen;
    c.what = strcmp(v->kind, "mpi") ? "Computation" : "Time in MPI";
    if (c.nranks)
        draw(pane, &c);
    else
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "The report has no time per rank for this vertex.");
}
