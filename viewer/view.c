#include "view.h"
#include "metrics_pane.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>

int sca_view_open(struct sca_view *view, const struct sca_report *report,
                  struct sca_sources *sources)
{
    *view = (struct sca_view){.sources = sources, .shown = SCA_NO_VERTEX};
    int status = sca_model_open(&view->model, report);
    if (!status)
        status = sca_tree_open(&view->tree, &view->model);
    if (status) {
        sca_view_close(view);
        return status;
    }
    view->kind = sca_model_ncauses(&view->model) ? SCA_SOURCE : SCA_ACCOUNT;
    view->shown = sca_view_vertex(view);
    sca_view_resize(view, 24, 80);
    return SCA_OK;
}

void sca_view_close(struct sca_view *view)
{
    sca_lines_free(&view->pane.lines);
    sca_lines_free(&view->side.lines);
    sca_tree_close(&view->tree);
    sca_model_close(&view->model);
}

uint32_t sca_view_count(const struct sca_view *view)
{
    return view->in_tree ? view->tree.nrows : sca_model_ncauses(&view->model);
}

uint32_t sca_view_vertex(const struct sca_view *view)
{
    uint32_t row = view->list[view->in_tree].row;
    if (row >= sca_view_count(view))
        return SCA_NO_VERTEX;
    if (view->in_tree)
        return view->tree.row[row];
    return view->model.report->causes[view->model.order[row]].vertex;
}

uint32_t sca_view_cause(const struct sca_view *view)
{
    uint32_t row = view->list[view->in_tree].row;
    if (row >= sca_view_count(view))
        return SCA_NO_VERTEX;
    return view->in_tree ? view->model.cause[view->tree.row[row]] : view->model.order[row];
}

static int clamp(int value, int least, int most)
{
    return value > most ? most : value < least ? least : value;
}

/* Two fifths for the list, no more than it needs; the path gets a second row where it is long. */
void sca_view_arrange(struct sca_view *view)
{
    struct sca_layout *l = &view->layout;
    struct sca_lines path = {0};
    uint32_t vertex = sca_view_vertex(view);
    sca_lines_begin(&path, SCA_PLAIN, vertex);
    if (vertex != SCA_NO_VERTEX)
        sca_model_path(&path, &view->model, vertex, 4 * view->columns);
    sca_view_between(view, &path);
    l->list_first = 2;
    l->path_rows = view->rows >= 20 && sca_lines_width(&path) > view->columns - 2 ? 2 : 1;
    sca_lines_free(&path);
    int room = view->rows - 5 - l->path_rows;
    int wanted = (int)(sca_view_count(view) < 1000 ? sca_view_count(view) : 1000);
    l->list_rows = clamp(wanted, 3, room * (view->in_tree ? 5 : 4) / 10);
    l->path_first = l->list_first + l->list_rows + 1; /* after the row of figures */
    l->divider = l->path_first + l->path_rows;
    l->pane_first = l->divider + 1;
    l->pane_rows = view->rows - 1 - l->pane_first;
}

void sca_view_resize(struct sca_view *view, int rows, int columns)
{
    view->rows = rows;
    view->columns = columns;
    if (rows < SCA_LEAST_ROWS || columns < SCA_LEAST_COLUMNS)
        return;
    sca_view_arrange(view);
    size_t top = view->pane.top, cursor = view->cursor;
    bool filled = view->pane.lines.count > 0;
    sca_view_show(view, view->kind);
    if (filled) {
        sca_view_scroll(view, (long)top - (long)view->pane.top);
        view->cursor = cursor < view->pane.lines.count ? cursor : view->cursor;
    }
    sca_view_select(view, view->list[view->in_tree].row);
}

static size_t room_of(const struct sca_view *view, const struct sca_pane *pane)
{
    int room = view->layout.pane_rows - (int)pane->fixed;
    return room > 1 ? (size_t)room : 1;
}

static size_t pane_room(const struct sca_view *view)
{
    return room_of(view, &view->pane);
}

static void scroll(const struct sca_view *view, struct sca_pane *pane, long lines)
{
    long most = (long)pane->lines.count - (long)room_of(view, pane), least = (long)pane->fixed;
    long top = (long)pane->top + lines;
    top = top > most ? most : top;
    pane->top = (size_t)(top < least ? least : top);
}

void sca_view_scroll(struct sca_view *view, long lines)
{
    scroll(view, &view->pane, lines);
}

void sca_view_move_cursor(struct sca_view *view, long line)
{
    struct sca_pane *pane = &view->pane;
    long last = (long)pane->lines.count - 1, first = (long)pane->fixed;
    line = line > last ? last : line;
    view->cursor = (size_t)(line < first ? first : line);
    if (view->cursor < pane->top)
        pane->top = view->cursor;
    if (view->cursor >= pane->top + pane_room(view))
        pane->top = view->cursor - pane_room(view) + 1;
}

/* What is read with it; itself: it takes the whole width. */
static enum sca_pane_kind companion(enum sca_pane_kind kind)
{
    static const enum sca_pane_kind beside[SCA_PANES] = {[SCA_SOURCE] = SCA_CHAIN,
                                                         [SCA_CHAIN] = SCA_SOURCE,
                                                         [SCA_BARS] = SCA_SOURCE,
                                                         [SCA_CURVE] = SCA_BARS,
                                                         [SCA_ACCOUNT] = SCA_ACCOUNT,
                                                         [SCA_METRICS] = SCA_BARS,
                                                         [SCA_COMMUNICATION] = SCA_COMMUNICATION,
                                                         [SCA_BEHAVIOUR] = SCA_BEHAVIOUR,
                                                         [SCA_SERIES] = SCA_SERIES,
                                                         [SCA_TIMELINE] = SCA_TIMELINE,
                                                         [SCA_LOCKS] = SCA_LOCKS};
    return beside[kind];
}

static bool is_wide(const struct sca_view *view)
{
    return view->columns >= SCA_WIDE_COLUMNS && companion(view->kind) != view->kind &&
           view->shown != SCA_NO_VERTEX;
}

int sca_view_pane_columns(const struct sca_view *view)
{
    return is_wide(view) ? view->columns / 2 - 1 : view->columns;
}

/* A higher curve where there is room for what stands below it, too. */
static int curve_rows(const struct sca_view *view)
{
    enum { LEAST = 3, PART = 4, MOST = 10 };
    return clamp(view->layout.pane_rows / PART, LEAST, MOST);
}

/* What needs nothing selected. */
static bool fill_whole(const struct sca_view *view, enum sca_pane_kind kind, int width,
                       struct sca_pane *pane)
{
    if (kind == SCA_ACCOUNT)
        sca_account_pane(pane, &view->model, width);
    else if (kind == SCA_COMMUNICATION)
        sca_communication_pane(pane, &view->model, width);
    else if (kind == SCA_BEHAVIOUR)
        sca_behaviour_pane(pane, &view->model, width);
    else if (kind == SCA_SERIES)
        sca_series_pane(pane, &view->model, &view->time.series, width, curve_rows(view));
    else if (kind == SCA_TIMELINE)
        sca_timeline_pane(pane, &view->model, &view->time.timeline, width);
    else if (kind == SCA_LOCKS)
        sca_locks_pane(pane, &view->model, width);
    else if (kind == SCA_METRICS)
        sca_metrics_pane(pane, &view->model, view->shown);
    else
        return false;
    return true;
}

static void fill(const struct sca_view *view, enum sca_pane_kind kind, int width,
                 struct sca_pane *pane)
{
    uint32_t vertex = view->shown;
    if (fill_whole(view, kind, width, pane))
        return;
    if (vertex == SCA_NO_VERTEX)
        sca_lines_say(&pane->lines, SCA_PLAIN, "Nothing is selected. Press v for all vertices.");
    else if (kind == SCA_SOURCE)
        sca_source_pane(pane, &view->model, view->sources, vertex, view->skip, width);
    else if (kind == SCA_CHAIN)
        sca_chain_pane(pane, &view->model, sca_view_cause(view), vertex, width);
    else if (kind == SCA_BARS)
        sca_bars_pane(pane, &view->model, vertex, !view->in_tree || !view->tree.open[vertex],
                      width);
    else
        sca_curve_pane(pane, &view->model, vertex, width);
}

/* From its first line that matters, as far as it fills the screen; it does not scroll. */
static void fill_side(struct sca_view *view)
{
    sca_lines_clear(&view->side.lines);
    view->side.fixed = view->side.top = 0;
    if (is_wide(view))
        fill(view, companion(view->kind), view->columns - sca_view_pane_columns(view) - 2,
             &view->side);
    scroll(view, &view->side, 0);
}

/* The first line Enter can follow; in the source, the first of the vertex. */
static size_t first_cursor(const struct sca_view *view)
{
    const struct sca_lines *lines = &view->pane.lines;
    if (view->kind == SCA_TIMELINE && view->time.timeline.line)
        return view->pane.fixed + view->time.timeline.line;
    for (size_t i = view->pane.fixed; i < lines->count; i++)
        if (lines->line[i].vertex != SCA_NO_VERTEX ||
            (view->kind == SCA_SOURCE && lines->line[i].style == SCA_MARKED))
            return i;
    return view->pane.top;
}

void sca_view_show(struct sca_view *view, enum sca_pane_kind kind)
{
    sca_lines_clear(&view->pane.lines);
    view->pane.fixed = view->pane.top = 0;
    view->kind = kind;
    if (kind == SCA_TIMELINE)
        sca_timeline_open(&view->time.timeline, &view->model, view->layout.pane_rows);
    fill(view, kind, sca_view_pane_columns(view), &view->pane);
    fill_side(view);
    sca_view_scroll(view, 0);
    view->cursor = first_cursor(view);
    if (view->below)
        sca_view_move_cursor(view, (long)view->cursor);
    if (kind == SCA_TIMELINE) /* in the middle */
        sca_view_scroll(view,
                        (long)view->cursor - (long)pane_room(view) / 2 - (long)view->pane.top);
}

void sca_view_show_again(struct sca_view *view)
{
    size_t top = view->pane.top, cursor = view->cursor;
    sca_view_show(view, view->kind);
    sca_view_move_cursor(view, (long)cursor);
    sca_view_scroll(view, (long)top - (long)view->pane.top);
}

void sca_view_select(struct sca_view *view, long row)
{
    long last = (long)sca_view_count(view) - 1;
    uint32_t *top = &view->list[view->in_tree].top;
    row = row > last ? last : row;
    row = row < 0 ? 0 : row;
    view->list[view->in_tree].row = (uint32_t)row;
    uint32_t before = view->shown;
    sca_view_arrange(view);
    uint32_t rows = (uint32_t)view->layout.list_rows;
    if ((uint32_t)row < *top)
        *top = (uint32_t)row;
    if ((uint32_t)row >= *top + rows)
        *top = (uint32_t)row - rows + 1;
    if (view->nhistory) /* a hop is being followed: the list stays where it is */
        return;
    view->shown = sca_view_vertex(view);
    if (view->shown != before) {
        view->skip = 0;
        sca_view_show(view, view->kind);
    } else {
        sca_view_scroll(view, 0);
    }
}

static bool line_has(const struct sca_view *view, size_t line)
{
    return strcasestr(view->pane.lines.line[line].text, view->needle) != NULL;
}

static bool row_has(const struct sca_view *view, uint32_t row)
{
    const struct sca_model *m = &view->model;
    const struct sca_report_cause *c = view->in_tree ? NULL : &m->report->causes[m->order[row]];
    return sca_model_matches(m, c ? c->vertex : row, view->needle) ||
           (c && strcasestr(c->category, view->needle));
}

/* Steps through places 0..count-1 round in a circle; count if none has it. */
static size_t look(const struct sca_view *view, size_t from, size_t count, int direction,
                   bool below)
{
    for (size_t i = 0, at = from; i < count; i++) {
        if (below ? line_has(view, at) : row_has(view, (uint32_t)at))
            return at;
        at = direction > 0 ? (at + 1) % count : (at + count - 1) % count;
    }
    return count;
}

/* In the tree, closed branches are searched too: its places are vertices, not rows. */
void sca_view_search(struct sca_view *view, int direction, bool here)
{
    uint32_t selected = sca_view_vertex(view);
    size_t count = view->below     ? view->pane.lines.count
                   : view->in_tree ? view->model.report->nvertices
                                   : sca_model_ncauses(&view->model);
    size_t from = view->below     ? view->cursor
                  : view->in_tree ? (selected == SCA_NO_VERTEX ? 0 : selected)
                                  : view->list[0].row;
    if (!view->needle[0] || !count)
        return;
    if (!here)
        from = direction > 0 ? (from + 1) % count : (from + count - 1) % count;
    size_t found = look(view, from, count, direction, view->below);
    if (found == count)
        snprintf(view->message, sizeof view->message, "Not found: %.200s", view->needle);
    else if (view->below)
        sca_view_move_cursor(view, (long)found);
    else
        sca_view_select(view, view->in_tree ? sca_tree_reveal(&view->tree, (uint32_t)found)
                                            : (long)found);
}
