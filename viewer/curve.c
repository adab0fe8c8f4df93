/* How a vertex's time goes with the number of ranks, as a table with bars and as a curve. */
#include "panes.h"
#include "sca_phrase.h"
#include "lines.h"
#include "model.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLOT_ROWS = 7, PLOT_MOST = 56 };

static double per_rank(const struct sca_model *model, const struct sca_report_vertex *v, uint32_t i)
{
    uint32_t ranks = model->report->runs[i].ranks;
    return ranks ? v->run_s[i] / ranks : 0;
}

/* Mean seconds per rank if it scaled perfectly from the first run on. */
static double ideal(const struct sca_model *model, const struct sca_report_vertex *v, uint32_t i)
{
    return per_rank(model, v, 0) * sca_report_ideal(model->report, i);
}

static void table(struct sca_pane *pane, const struct sca_model *model,
                  const struct sca_report_vertex *v, int width)
{
    struct sca_lines *lines = &pane->lines;
    char mean[16], wanted[16], total[16];
    double most = 0;
    for (uint32_t i = 0; i < v->nruns; i++)
        most = fmax(most, per_rank(model, v, i));
    sca_lines_say(lines, SCA_HEADER, "%s   per rank      ideal  over ideal  core-s total",
                  sca_report_by_threads(model->report) ? "threads" : " ranks");
    for (uint32_t i = 0; i < v->nruns; i++) {
        double have = per_rank(model, v, i), want = ideal(model, v, i);
        int room = width - 56;
        sca_lines_say(lines, SCA_PLAIN, "%6u  %9s  %9s  ", sca_report_places(model->report, i),
                      sca_label_seconds(have, mean), sca_label_seconds(want, wanted));
        if (want > 0)
            sca_lines_add(lines, "%8.2f%s", have / want, sca_text_glyphs()->times);
        sca_lines_pad(lines, 41);
        sca_lines_add(lines, "%12s  ", sca_label_seconds(v->run_s[i], total));
        if (most > 0 && room > 0)
            sca_lines_repeat(lines, sca_text_glyphs()->bar, (int)lround(have / most * room));
    }
}

static void forecast(struct sca_pane *pane, const struct sca_report_nonscalable *n, int width)
{
    char text[400] = "Forecast, share of all time: ";
    for (uint32_t k = 0; k < n->nprojections; k++) {
        const struct sca_report_projection *p = &n->projections[k];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.0f %% on %u ranks (95 %%: %.0f to %.0f)",
                 k ? ", " : "", 100 * p->share, p->ranks, 100 * p->share_ci[0],
                 100 * p->share_ci[1]);
    }
    if (!n->nprojections)
        snprintf(text, sizeof text, "Forecast: %s.", sca_phrase_no_forecast);
    sca_lines_wrap(&pane->lines, SCA_PLAIN, text, 0, width);
}

static void slope(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex, int width)
{
    uint32_t i = model->model[vertex];
    char wanted[SCA_PHRASE];
    if (i == SCA_NO_VERTEX) {
        sca_lines_say(&pane->lines, SCA_PLAIN, "No slope: this vertex does not scale badly.");
        return;
    }
    const struct sca_report_nonscalable *n = &model->report->nonscalable[i];
    sca_lines_say(&pane->lines, SCA_MARKED,
                  "Slope %.2f (95 %%: %.2f to %.2f, R2 %.2f), ideal %s: scales badly", n->slope,
                  n->slope_ci[0], n->slope_ci[1], n->r2,
                  sca_phrase_ideal(wanted, model->report, n) + strlen("P^"));
    forecast(pane, n, width);
}

struct plot {
    char cell[PLOT_ROWS][PLOT_MOST + 1];
    int columns;
    double x0, x1, y0, y1; /* logarithms */
};

static void put(struct plot *p, double x, double y, char sign)
{
    double across = p->x1 > p->x0 ? (x - p->x0) / (p->x1 - p->x0) : 0;
    double down = p->y1 > p->y0 ? (p->y1 - y) / (p->y1 - p->y0) : 0.5;
    int column = (int)lround(across * (p->columns - 1)), row = (int)lround(down * (PLOT_ROWS - 1));
    if (row >= 0 && row < PLOT_ROWS && column >= 0 && column < p->columns)
        p->cell[row][column] = sign;
}

static void frame(struct plot *p, const struct sca_model *model, const struct sca_report_vertex *v)
{
    p->y0 = INFINITY;
    p->y1 = -INFINITY;
    for (uint32_t i = 0; i < v->nruns; i++) {
        double have = log(per_rank(model, v, i)), want = log(ideal(model, v, i));
        p->y0 = fmin(p->y0, fmin(have, want));
        p->y1 = fmax(p->y1, fmax(have, want));
    }
    p->x0 = log(sca_report_places(model->report, 0));
    p->x1 = log(sca_report_places(model->report, v->nruns - 1));
    memset(p->cell, ' ', sizeof p->cell);
}

/* Straight lines in logarithms between the ideal points, then the measured ones on top. */
static void trace(struct plot *p, const struct sca_model *model, const struct sca_report_vertex *v)
{
    double begin = log(ideal(model, v, 0)), end = log(ideal(model, v, v->nruns - 1));
    for (int c = 0; c < p->columns; c++) {
        double part = p->columns > 1 ? (double)c / (p->columns - 1) : 0;
        put(p, p->x0 + part * (p->x1 - p->x0), begin + part * (end - begin), '.');
    }
    for (uint32_t i = 0; i < v->nruns; i++)
        put(p, log(sca_report_places(model->report, i)), log(per_rank(model, v, i)), '*');
}

static bool can_plot(const struct sca_model *model, const struct sca_report_vertex *v)
{
    for (uint32_t i = 0; i < v->nruns; i++)
        if (!(v->run_s[i] > 0) || !model->report->runs[i].ranks)
            return false;
    return v->nruns > 1;
}

static void plot(struct sca_pane *pane, const struct sca_model *model,
                 const struct sca_report_vertex *v, int width)
{
    struct plot p = {.columns = width - 14 < PLOT_MOST ? width - 14 : PLOT_MOST};
    char text[16];
    if (!can_plot(model, v) || p.columns < 8)
        return;
    frame(&p, model, v);
    trace(&p, model, v);
    sca_lines_say(&pane->lines, SCA_HEADER, "%s",
                  sca_report_by_threads(model->report)
                      ? "Seconds per rank over threads, both logarithmic (* measured, . ideal):"
                      : "Seconds per rank over ranks, both logarithmic (* measured, . ideal):");
    for (int row = 0; row < PLOT_ROWS; row++) {
        bool end = row == 0 || row == PLOT_ROWS - 1;
        const char *label = end ? sca_label_seconds(exp(row ? p.y0 : p.y1), text) : "";
        sca_lines_say(&pane->lines, SCA_PLAIN, "%9s %s%.*s", label, sca_text_glyphs()->edge,
                      p.columns, p.cell[row]);
    }
    sca_lines_say(&pane->lines, SCA_PLAIN, "%10s %-*u%u", "", p.columns - 3,
                  sca_report_places(model->report, 0),
                  sca_report_places(model->report, v->nruns - 1));
}

void sca_curve_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex,
                    int width)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    if (v->nruns < 2) {
        sca_lines_say(&pane->lines, SCA_WARNING, "%s",
                      model->report->nruns < 2
                          ? "A curve needs several runs. Give scalana-detect runs on more ranks."
                          : "The report has no time per run for this vertex.");
        return;
    }
    table(pane, model, v, width);
    slope(pane, model, vertex, width);
    plot(pane, model, v, width);
}
