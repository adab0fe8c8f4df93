/* The screen, top to bottom, as lines. */
#include "view.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCA_TAB = 16 };

static void title(const struct sca_view *view, struct sca_lines *screen)
{
    const struct sca_report *r = view->model.report;
    char scaling[SCA_PHRASE], unconfirmed[40] = "";
    sca_lines_begin(screen, SCA_TITLE, SCA_NO_VERTEX);
    if (r->nunconfirmed)
        snprintf(unconfirmed, sizeof unconfirmed, ", %u not confirmed", r->nunconfirmed);
    sca_lines_add(screen, " ScalAna  ");
    sca_lines_text(screen, *r->program ? r->program : "?", 24, SCA_CUT_MIDDLE);
    sca_lines_add(screen, "  ");
    for (uint32_t i = r->nruns > 6 ? r->nruns - 6 : 0; i < r->nruns; i++)
        if (!i || r->runs[i].ranks != r->runs[i - 1].ranks) /* repetitions count once */
            sca_lines_add(screen, "%s%u", i && i + 6 != r->nruns ? ", " : "", r->runs[i].ranks);
    sca_lines_add(screen, " rank%s  ", r->nruns && r->runs[r->nruns - 1].ranks == 1 ? "" : "s");
    if (view->model.range.chosen) {
        sca_lines_add(screen, "iterations %.0f-%.0f  ", view->model.range.from,
                      view->model.range.to);
    } else if (r->nruns && *sca_phrase_scaling(scaling, r)) {
        sca_lines_text(screen, scaling, 40, SCA_CUT_END);
        sca_lines_add(screen, "  ");
    }
    if (view->in_tree)
        sca_lines_add(screen, " all vertices by %s", sca_model_sort_name(view->tree.sort));
    else
        sca_lines_add(screen, " %u root cause%s%s by %s", r->ncauses, r->ncauses == 1 ? "" : "s",
                      unconfirmed, sca_model_sort_name(view->model.sort));
    if (r->nwarnings + r->nnotes)
        sca_lines_add(screen, "  %u note%s: 5", r->nwarnings + r->nnotes,
                      r->nwarnings + r->nnotes == 1 ? "" : "s");
    sca_lines_pad(screen, view->columns);
}

static void share(struct sca_lines *lines, const char *what, double seconds, double part)
{
    char text[16];
    sca_lines_add(lines, "%s %s", what, sca_label_seconds(seconds, text));
    if (part > 0)
        sca_lines_add(lines, " (%.0f %%)", 100 * part);
    sca_lines_add(lines, "  ");
}

/* The row of figures about the selected vertex. */
static void figures(const struct sca_view *view, struct sca_lines *screen)
{
    uint32_t vertex = sca_view_vertex(view), cause = sca_view_cause(view);
    const struct sca_model *m = &view->model;
    char text[16];
    sca_lines_begin(screen, SCA_PLAIN, SCA_NO_VERTEX);
    if (vertex == SCA_NO_VERTEX)
        return;
    sca_lines_add(screen, " ");
    if (cause != SCA_NO_VERTEX) {
        const struct sca_report_cause *c = &m->report->causes[cause];
        share(screen, "gain", c->gain_core_s, c->gain_share);
        share(screen, "cost", c->cost_core_s, c->cost_share);
    }
    double time =
        cause == SCA_NO_VERTEX ? sca_model_time(m, vertex) : sca_model_cause_time(m, cause);
    sca_lines_add(screen, "time %s  ", sca_label_seconds(time, text));
    if (cause != SCA_NO_VERTEX && m->report->causes[cause].ratio > 0)
        sca_lines_add(screen, "%.2f%s other ranks", m->report->causes[cause].ratio,
                      sca_text_glyphs()->times);
    else
        sca_lines_add(screen, "imbalance %.2f", sca_model_imbalance(m, vertex));
    if (!isnan(sca_model_slope(m, vertex)))
        sca_lines_add(screen, "  slope %.2f", sca_model_slope(m, vertex));
}

void sca_view_between(const struct sca_view *view, struct sca_lines *line)
{
    char between[SCA_PHRASE];
    uint32_t cause = sca_view_cause(view);
    const struct sca_report *r = view->model.report;
    if (cause == SCA_NO_VERTEX)
        return;
    if (*sca_phrase_between(between, r, &r->causes[cause])) {
        sca_lines_add(line, ", ");
        sca_lines_text(line, between, 0, SCA_CUT_END);
    }
    if (*sca_phrase_inner(between, &r->causes[cause])) {
        sca_lines_add(line, ", mostly in ");
        sca_lines_text(line, between, 0, SCA_CUT_END);
    }
    if (*sca_phrase_counter(between, &r->causes[cause])) {
        sca_lines_add(line, ", ");
        sca_lines_text(line, between, 0, SCA_CUT_END);
    }
}

static void path(const struct sca_view *view, struct sca_lines *screen)
{
    int rows = view->layout.path_rows, width = view->columns - 2;
    uint32_t vertex = sca_view_vertex(view);
    struct sca_lines whole = {0};
    sca_lines_begin(&whole, SCA_PLAIN, vertex);
    if (vertex != SCA_NO_VERTEX) /* room for the indent, and for a long word that wraps */
        sca_model_path(&whole, &view->model, vertex, rows > 1 ? 2 * width - 40 : width);
    sca_view_between(view, &whole);
    if (whole.count)
        sca_lines_wrap(screen, SCA_DIM, whole.line[0].text, 1, rows > 1 ? width : 2 * width);
    sca_lines_free(&whole);
}

/* Lines of the pane below what is shown; a source goes on, as everybody knows. */
static long more_below(const struct sca_view *view)
{
    const struct sca_pane *p = &view->pane;
    size_t top = p->top < p->fixed ? p->fixed : p->top;
    long end = (long)top + view->layout.pane_rows - (long)p->fixed;
    return view->kind == SCA_SOURCE ? 0 : (long)p->lines.count - end;
}

/* The place of the vertex goes before the last panes' names: their keys stand for them. */
static int tab_text(const struct sca_view *view, int pane, char text[SCA_TAB])
{
    enum { ALL = 140 /* columns for all names and a place */ };
    if ((int)view->kind == pane)
        return snprintf(text, SCA_TAB, "[%s]", sca_panes_name(pane));
    if (pane < SCA_BEHAVIOUR || view->columns >= ALL)
        return snprintf(text, SCA_TAB, " %s ", sca_panes_name(pane));
    if (sca_panes_is_whole(view->kind))
        return snprintf(text, SCA_TAB, " %c", sca_panes_key(pane));
    if (pane == SCA_LOCKS && view->model.report->contention.wait_s > 0)
        return snprintf(text, SCA_TAB, " %c", sca_panes_key(pane));
    return snprintf(text, SCA_TAB, "%s", pane == SCA_BEHAVIOUR ? " 8-0" : "");
}

void sca_view_tabs(const struct sca_view *view, struct sca_lines *screen)
{
    enum { MORE = 14 };
    long more = more_below(view);
    sca_lines_begin(screen, SCA_HEADER, SCA_NO_VERTEX);
    sca_lines_add(screen, "%s", sca_text_glyphs()->rule);
    for (int i = 0; i < SCA_PANES; i++) {
        char text[SCA_TAB];
        tab_text(view, i, text);
        sca_lines_add(screen, "%s", text);
    }
    sca_lines_add(screen, " ");
    if (view->shown != SCA_NO_VERTEX && !sca_panes_is_whole(view->kind)) {
        const struct sca_report_vertex *v = &view->model.report->vertices[view->shown];
        sca_lines_add(screen, " ");
        sca_model_label(screen, v, 16);
        sca_lines_add(screen, " ");
        sca_model_place(screen, v, view->columns - sca_lines_width(screen) - (more > 0 ? MORE : 2));
        sca_lines_add(screen, " ");
    }
    if (more > 0) {
        sca_lines_repeat(screen, sca_text_glyphs()->rule,
                         view->columns - sca_lines_width(screen) - MORE);
        sca_lines_add(screen, " %ld more (%s) ", more, view->below ? "j" : "J");
    }
    sca_lines_repeat(screen, sca_text_glyphs()->rule, view->columns - sca_lines_width(screen));
}

int sca_view_tab_at(const struct sca_view *view, int column)
{
    int at = 1;
    for (int i = 0; i < SCA_PANES; i++) {
        char text[SCA_TAB];
        int width = tab_text(view, i, text);
        if (column >= at && column < at + width)
            return i;
        at += width;
    }
    return -1;
}

static void copy(struct sca_lines *screen, const struct sca_line *line, bool selected, int width)
{
    sca_lines_begin(screen, selected ? SCA_SELECTED : line->style, line->vertex);
    sca_lines_text(screen, line->text, width, SCA_CUT_END);
}

/* The other pane's line behind a rule. */
static void put_beside(const struct sca_view *view, struct sca_lines *screen, size_t row)
{
    const struct sca_pane *side = &view->side;
    size_t at = row < side->fixed ? row : side->top + row - (side->top ? side->fixed : 0);
    int column = sca_view_pane_columns(view);
    if (!side->lines.count || !screen->count)
        return;
    sca_lines_pad(screen, column);
    struct sca_line *line = &screen->line[screen->count - 1];
    line->beside = strlen(line->text);
    sca_lines_add(screen, "%s ", sca_text_glyphs()->edge);
    line->beside_style = at < side->lines.count ? side->lines.line[at].style : SCA_PLAIN;
    if (at < side->lines.count)
        sca_lines_text(screen, side->lines.line[at].text, view->columns - column - 2, SCA_CUT_END);
}

static void pane(const struct sca_view *view, struct sca_lines *screen)
{
    const struct sca_pane *p = &view->pane;
    int width = sca_view_pane_columns(view);
    size_t room = (size_t)(view->layout.pane_rows > 0 ? view->layout.pane_rows : 0);
    size_t top = p->top < p->fixed ? p->fixed : p->top;
    for (size_t row = 0; row < room; row++) {
        size_t i = row < p->fixed ? row : top + row - p->fixed;
        if (i >= p->lines.count && row >= view->side.lines.count)
            break;
        if (i < p->lines.count)
            copy(screen, &p->lines.line[i], row >= p->fixed && view->below && i == view->cursor,
                 width);
        else
            sca_lines_begin(screen, SCA_PLAIN, SCA_NO_VERTEX);
        put_beside(view, screen, row);
    }
}

static const char *hint(const struct sca_view *view)
{
    if (view->below && view->kind == SCA_SERIES)
        return " Esc back  left right iteration  + - = zoom  r range  o loop  Enter source  ? keys";
    if (view->below && view->kind == SCA_TIMELINE)
        return " Esc back  left right step  + - = < > zoom  o window  x mended  Enter source  ?";
    if (view->below)
        return view->kind == SCA_METRICS
                   ? " Esc back  Enter tree and ranks show it  Tab next pane  / search  q quit"
                   : " Esc back  Enter follow  Tab next pane  / search  ? keys  q quit";
    if (view->kind == SCA_METRICS)
        return " w choose a metric  Tab next pane  v tree, causes  ? keys  q quit";
    if (view->kind == SCA_SERIES || view->kind == SCA_TIMELINE)
        return " w choose a time  Tab next pane  v tree, causes  ? keys  q quit";
    if (view->in_tree)
        return " Enter open/close  Tab next pane  t i s p sort  v causes  ? keys  q quit";
    if (!sca_model_ncauses(&view->model))
        return " v all vertices  Tab next pane  ? keys  q quit";
    return " Enter who waits  Tab next pane  g c t i s sort  v tree  ? keys  q quit";
}

static void status(const struct sca_view *view, struct sca_lines *screen)
{
    sca_lines_begin(screen, view->message[0] ? SCA_WARNING : SCA_DIM, SCA_NO_VERTEX);
    if (view->prompt)
        sca_lines_add(screen, "%s", view->prompt == SCA_ASK_SEARCH ? "/" : "Sources OLD=NEW: ");
    else if (!view->message[0])
        sca_lines_text(screen, hint(view), view->columns, SCA_CUT_END);
    const char *text = view->prompt ? view->input : view->message;
    sca_lines_text(screen, text, view->columns - 1 - sca_lines_width(screen), SCA_CUT_START);
    if (view->prompt)
        sca_lines_add(screen, "_");
}

/* Whatever a report makes of a line, it stays within the screen. */
static void clip(struct sca_lines *screen, int width)
{
    for (size_t i = 0; i < screen->count; i++) {
        struct sca_line *line = &screen->line[i];
        if (sca_text_width(line->text) <= width)
            continue;
        char *fitted = sca_text_fit(line->text, width, SCA_CUT_END);
        free(line->text);
        line->text = fitted ? fitted : strdup("");
    }
}

void sca_view_draw(struct sca_view *view, struct sca_lines *screen)
{
    const struct sca_layout *l = &view->layout;
    sca_lines_clear(screen);
    if (view->rows < SCA_LEAST_ROWS || view->columns < SCA_LEAST_COLUMNS) {
        char text[80];
        snprintf(text, sizeof text, "Too small: %dx%d, needs %dx%d. q quits.", view->columns,
                 view->rows, SCA_LEAST_COLUMNS, SCA_LEAST_ROWS);
        sca_lines_wrap(screen, SCA_WARNING, text, 0, view->columns);
    } else if (view->help) {
        sca_view_help(view, screen);
    } else {
        title(view, screen);
        sca_view_list(view, screen);
        sca_lines_exactly(screen, (size_t)l->path_first - 1);
        figures(view, screen);
        path(view, screen);
        sca_lines_exactly(screen, (size_t)l->divider);
        sca_view_tabs(view, screen);
        pane(view, screen);
        sca_lines_exactly(screen, (size_t)view->rows - 1);
        status(view, screen);
    }
    sca_lines_exactly(screen, (size_t)view->rows);
    clip(screen, view->columns);
}
