/* Every metric of a vertex: with all below it, alone, and how it is spread over the ranks. */
#include "metrics_pane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE = 24, FIGURE = 10, SHARE = 9, MOST_DEPTH = 8 };

static uint32_t depth_of(const struct sca_report *r, uint32_t metric)
{
    uint32_t depth = 0;
    for (uint32_t m = r->metrics[metric].parent; m != SCA_NO_METRIC && depth < MOST_DEPTH;
         m = r->metrics[m].parent)
        depth++;
    return depth;
}

static uint32_t outermost(const struct sca_report *r, uint32_t metric)
{
    for (int i = 0; r->metrics[metric].parent != SCA_NO_METRIC && i < MOST_DEPTH; i++)
        metric = r->metrics[metric].parent;
    return metric;
}

static uint32_t list_below(const struct sca_report *r, uint32_t parent, uint32_t depth,
                           uint32_t *order, uint32_t used)
{
    for (uint32_t m = 0; m < r->nmetrics && used < r->nmetrics; m++) {
        if (r->metrics[m].parent != parent || depth > MOST_DEPTH)
            continue;
        order[used++] = m;
        used = list_below(r, m, depth + 1, order, used);
    }
    return used;
}

uint32_t *sca_metrics_order(const struct sca_report *r, uint32_t *n)
{
    uint32_t *order = calloc(r->nmetrics + 1ul, sizeof *order);
    *n = order ? list_below(r, SCA_NO_METRIC, 0, order, 0) : 0;
    return order;
}

static void figure(struct sca_lines *lines, double value, const char *unit)
{
    char text[24];
    sca_lines_add(lines, "%*s", FIGURE, sca_label_metric(value, unit, text));
}

/* The least and the most of the ranks, and who has the most. */
static void ranks(struct sca_lines *lines, const struct sca_model *model, uint32_t metric,
                  uint32_t vertex)
{
    const struct sca_report *r = model->report;
    uint32_t n = sca_model_largest(model) ? sca_model_largest(model)->ranks : 0, least = 0,
             most = 0;
    double *values = calloc(n + 1ul, sizeof *values);
    if (!values || !n || sca_metric_ranks(r, metric, vertex, true, values)) {
        sca_lines_add(lines, "   no value per rank");
        free(values);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        least = values[i] < values[least] || isnan(values[least]) ? i : least;
        most = values[i] > values[most] || isnan(values[most]) ? i : most;
    }
    figure(lines, values[least], r->metrics[metric].unit);
    figure(lines, values[most], r->metrics[metric].unit);
    if (values[most] > values[least])
        sca_lines_add(lines, " %5u", most);
    free(values);
}

static void row(struct sca_lines *lines, const struct sca_model *model, uint32_t metric,
                uint32_t vertex)
{
    const struct sca_report_metric *m = &model->report->metrics[metric];
    bool chosen = model->metric.metric == metric;
    int indent = 2 * (int)depth_of(model->report, metric);
    double below = sca_metric_sum(model->report, metric, vertex, true);
    bool some = below != 0 && !isnan(below);
    sca_lines_begin(lines, chosen ? SCA_MARKED : some ? SCA_PLAIN : SCA_DIM, SCA_NO_VERTEX);
    sca_lines_add(lines, "%s", chosen ? sca_text_glyphs()->mark : " ");
    sca_lines_repeat(lines, " ", indent);
    sca_lines_text(lines, sca_metric_title(model->report, metric), TITLE - indent, SCA_CUT_END);
    sca_lines_pad(lines, TITLE + 1);
    if (*m->absent) {
        sca_lines_add(lines, "       n/a  ");
        sca_lines_text(lines, m->absent, 0, SCA_CUT_END);
        return;
    }
    double whole =
        sca_metric_sum(model->report, outermost(model->report, metric), SCA_NO_VERTEX, true);
    figure(lines, below, m->unit);
    if (vertex != SCA_NO_VERTEX)
        figure(lines, sca_metric_sum(model->report, metric, vertex, false), m->unit);
    else
        sca_lines_pad(lines, TITLE + 1 + 2 * FIGURE);
    if (m->of == SCA_NO_METRIC && whole > 0)
        sca_lines_add(lines, "%7.1f %%", 100 * below / whole);
    sca_lines_pad(lines, TITLE + 1 + 2 * FIGURE + SHARE);
    ranks(lines, model, metric, vertex);
}

void sca_metrics_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex)
{
    uint32_t n;
    if (!model->report->nmetrics) {
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "The report has no metrics: an older release wrote it.");
        return;
    }
    uint32_t *order = sca_metrics_order(model->report, &n);
    bool whole = vertex == SCA_NO_VERTEX;
    sca_lines_say(&pane->lines, SCA_HEADER, " %-*s%*s%*s%*s%*s%*s%6s", TITLE, "metric", FIGURE,
                  whole ? "in all" : "all below", FIGURE, whole ? "" : "alone", SHARE, "share",
                  FIGURE, "least", FIGURE, "most", "rank");
    pane->fixed = 1;
    for (uint32_t i = 0; i < n; i++)
        row(&pane->lines, model, order[i], vertex);
    free(order);
}
