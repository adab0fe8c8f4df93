/* The upper list: root causes, or the tree of all vertices. And the page of keys. */
#include "view.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIGURES = 42, RANKS = 8 }; /* columns before the names, and after them */

struct columns {
    int place, function;
};

/* The cause shown in a row of the list. */
static const struct sca_report_cause *cause_at(const struct sca_view *view, uint32_t row)
{
    return &view->model.report->causes[view->model.order[row]];
}

/* "cg.c:24"; "cg.c:82..90" where no more is known than two calls around it. */
static void cause_place(const struct sca_view *view, struct sca_lines *lines,
                        const struct sca_report_cause *c, int width)
{
    const struct sca_report_vertex *v = view->model.report->vertices;
    const struct sca_report_vertex *after = &v[c->after], *before = &v[c->before];
    char end[16] = "";
    if (c->between && after->line && before->line && !strcmp(after->file, before->file))
        snprintf(end, sizeof end, "..%u", before->line);
    sca_model_place(lines, *end ? after : &v[c->vertex], width - (int)strlen(end));
    sca_lines_add(lines, "%s", end);
}

/* The longest place in sight, so that no name is cut while the next column stands empty. */
static int widest_place(const struct sca_view *view)
{
    uint32_t top = view->list[0].top, end = top + (uint32_t)view->layout.list_rows;
    int widest = 0;
    for (uint32_t row = top; row < end && row < sca_view_count(view); row++) {
        struct sca_lines place = {0};
        sca_lines_begin(&place, SCA_PLAIN, SCA_NO_VERTEX);
        cause_place(view, &place, cause_at(view, row), 40);
        if (sca_lines_width(&place) > widest)
            widest = sca_lines_width(&place);
        sca_lines_free(&place);
    }
    return widest;
}

/* Place and function share what the figures and the ranks leave. */
static struct columns divide(const struct sca_view *view)
{
    int room = view->columns - FIGURES - RANKS;
    int least = room / 2, most = room * 7 / 10, wanted = widest_place(view) + 1;
    int place = wanted < least ? least : wanted > most ? most : wanted;
    return (struct columns){place, room - place};
}

static bool is_extra(enum sca_sort sort)
{
    return sort == SCA_BY_IMBALANCE || sort == SCA_BY_SLOPE;
}

/* The column that changes with the order: time, imbalance or slope. */
static void extra(struct sca_lines *screen, const struct sca_model *model, uint32_t vertex,
                  double seconds, enum sca_sort sort)
{
    char text[16];
    double value = sca_model_value(model, vertex, sort);
    if (!is_extra(sort))
        sca_lines_add(screen, "%9s ", sca_label_seconds(seconds, text));
    else if (isnan(value))
        sca_lines_add(screen, "%9s ", "n/a");
    else
        sca_lines_add(screen, "%9.2f ", value);
}

static void percentage(struct sca_lines *screen, double part, double seconds)
{
    if (part > 0 || !(seconds > 0))
        sca_lines_add(screen, "%4.0f %% ", 100 * part);
    else
        sca_lines_add(screen, "%6s ", "n/a");
}

static void cause_row(const struct sca_view *view, struct sca_lines *screen, struct columns widths,
                      uint32_t row)
{
    uint32_t number = view->model.order[row];
    const struct sca_report_cause *c = cause_at(view, row);
    const struct sca_report_vertex *v = &view->model.report->vertices[c->vertex];
    bool selected = row == view->list[0].row;
    enum sca_style style = !selected ? SCA_PLAIN : view->below ? SCA_MARKED : SCA_SELECTED;
    sca_lines_begin(screen, style, c->vertex);
    sca_lines_add(screen, "%s%3u%s", selected ? sca_text_glyphs()->mark : " ", number + 1,
                  c->doubt && *c->doubt ? "?" : " ");
    percentage(screen, c->gain_share, c->gain_core_s);
    percentage(screen, c->cost_share, c->cost_core_s);
    extra(screen, &view->model, c->vertex, sca_model_cause_time(&view->model, number),
          view->model.sort);
    sca_lines_text(screen, c->category, 13, SCA_CUT_END);
    sca_lines_pad(screen, FIGURES);
    cause_place(view, screen, c, widths.place - 1);
    sca_lines_pad(screen, FIGURES + widths.place);
    sca_model_function(screen, v, widths.function - 1);
    sca_lines_pad(screen, FIGURES + widths.place + widths.function);
    sca_model_ranks(screen, c->ranks, c->nranks, view->columns - sca_lines_width(screen));
    sca_lines_pad(screen, view->columns);
}

static void cause_header(const struct sca_view *view, struct sca_lines *screen,
                         struct columns widths)
{
    enum sca_sort sort = view->model.sort;
    sca_lines_begin(screen, SCA_HEADER, SCA_NO_VERTEX);
    sca_lines_add(screen, "   #   gain   cost %9s category",
                  is_extra(sort) ? sca_model_sort_name(sort) : "core-time");
    sca_lines_pad(screen, FIGURES);
    sca_lines_add(screen, "where");
    sca_lines_pad(screen, FIGURES + widths.place);
    sca_lines_add(screen, "function");
    sca_lines_pad(screen, FIGURES + widths.place + widths.function);
    sca_lines_add(screen, "ranks");
}

/* Of the chosen metric, with all that is below the vertex while it is closed. */
static void metric_figures(const struct sca_view *view, struct sca_lines *screen, uint32_t vertex)
{
    const struct sca_metric_table *t = &view->model.metric;
    const struct sca_report_metric *m = &view->model.report->metrics[t->metric];
    double value = view->tree.open[vertex] && sca_tree_has_children(&view->tree, vertex)
                       ? t->own[vertex]
                       : t->below[vertex];
    char text[24];
    sca_lines_add(screen, "%9s", sca_label_metric(value, m->unit, text));
    if (m->of == SCA_NO_METRIC && t->total > 0 && !isnan(value))
        sca_lines_add(screen, " %5.1f %%", 100 * value / t->total);
}

static void time_figures(const struct sca_view *view, struct sca_lines *screen, uint32_t vertex)
{
    double imbalance = sca_model_imbalance(&view->model, vertex);
    extra(screen, &view->model, vertex, sca_model_time(&view->model, vertex), SCA_BY_TIME);
    if (imbalance > 0)
        sca_lines_add(screen, "%6.2f", imbalance);
}

static void tree_row(const struct sca_view *view, struct sca_lines *screen, uint32_t row)
{
    uint32_t vertex = view->tree.row[row];
    const struct sca_report_vertex *v = &view->model.report->vertices[vertex];
    bool selected = row == view->list[1].row, parent = sca_tree_has_children(&view->tree, vertex);
    enum sca_style style = !selected ? SCA_PLAIN : view->below ? SCA_MARKED : SCA_SELECTED;
    uint32_t cause = view->model.cause[vertex], depth = view->tree.depth[vertex];
    sca_lines_begin(screen, style, vertex);
    sca_lines_add(screen, "%s", selected ? sca_text_glyphs()->mark : " ");
    if (cause != SCA_NO_VERTEX)
        sca_lines_add(screen, "#%-4u", cause + 1);
    sca_lines_pad(screen, 6);
    if (view->model.metric.metric == SCA_NO_METRIC)
        time_figures(view, screen, vertex);
    else
        metric_figures(view, screen, vertex);
    sca_lines_pad(screen, 24);
    sca_lines_repeat(screen, " ", 2 * (int)(depth < 16 ? depth : 16));
    sca_lines_add(screen, "%s ",
                  !parent                   ? " "
                  : view->tree.open[vertex] ? sca_text_glyphs()->open
                                            : sca_text_glyphs()->closed);
    int room = view->columns - sca_lines_width(screen) - 22;
    sca_model_label(screen, v, room > 8 ? room : 8);
    sca_lines_add(screen, "  ");
    sca_model_place(screen, v, view->columns - sca_lines_width(screen));
    sca_lines_pad(screen, view->columns);
}

static void no_cause(const struct sca_view *view, struct sca_lines *screen)
{
    char text[SCA_PHRASE];
    sca_phrase_no_cause(text, view->model.report);
    sca_lines_wrap(screen, SCA_MARKED, text, 1, view->columns);
}

static void tree_header(const struct sca_view *view, struct sca_lines *screen)
{
    uint32_t metric = view->model.metric.metric;
    if (metric == SCA_NO_METRIC) {
        sca_lines_say(screen, SCA_HEADER, " cause core-time imbal.  vertex");
        return;
    }
    sca_lines_say(screen, SCA_HEADER, " cause     value  share  vertex, by ");
    sca_lines_text(screen, sca_metric_title(view->model.report, metric), 28, SCA_CUT_END);
    sca_lines_add(screen, "; open: alone");
}

void sca_view_list(const struct sca_view *view, struct sca_lines *screen)
{
    uint32_t count = sca_view_count(view), top = view->list[view->in_tree].top;
    struct columns widths = view->in_tree ? (struct columns){0, 0} : divide(view);
    if (view->in_tree)
        tree_header(view, screen);
    else if (count)
        cause_header(view, screen, widths);
    else
        sca_lines_say(screen, SCA_HEADER, "%s", "");
    for (uint32_t i = top; i < count && i < top + (uint32_t)view->layout.list_rows; i++)
        if (view->in_tree)
            tree_row(view, screen, i);
        else
            cause_row(view, screen, widths, i);
    if (!count)
        no_cause(view, screen);
}

void sca_view_help(const struct sca_view *view, struct sca_lines *screen)
{
    static const char *const keys[] = {
        "  up down k j         move by one; PgUp PgDn Home End: further",
        "  Tab, 1 to 9, 0, L   source, chain, ranks, curve, account, metrics, matrix,",
        "                      classes of ranks, series, timeline, locks",
        "  Enter               list: who waits for it; chain: source of the step",
        "                      metrics: tree and ranks show this metric, or time again",
        "  Esc, Backspace      back",
        "  w                   keys go to the other half; J K scroll the lower half",
        "  left right          tree: close, open; source, series, timeline: sideways",
        "  + - =  < >          series, timeline: zoom, all of it; pan",
        "  o  x  r             other loop or window; timeline: first cause mended;",
        "                      series: from here to the next r, a range for other panes",
        "  g c t i s           sort by gain, cost, time (or metric), imbalance, slope",
        "  v                   all vertices as a tree and back; *: open all; p: in order",
        "  /  n  N             search, next, previous",
        "  m                   sources are elsewhere: OLD=NEW",
        "  mouse               click: row, hop, pane; twice: Enter; wheel: scroll",
        "  q                   quit",
        "",
        "  ?     behind its number: not confirmed; pane 2 says which run would decide",
        "  gain  what fixing it would save    cost  what it costs by itself",
        "  imbalance  slowest rank over mean  slope log time over log ranks",
        "  core-time  computation; of MPI time inside, on shared cores replayed waiting",
        "  Percentages are of ranks x wall of the largest run.",
    };
    (void)view;
    sca_lines_say(screen, SCA_TITLE, " Keys (any key closes this)");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        sca_lines_say(screen, SCA_PLAIN, "%s", keys[i]);
}
