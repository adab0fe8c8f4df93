/* What each key and each click does. */
#include "view.h"
#include "metrics_pane.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDEWAYS = 8, WHEEL = 3 };

static void remember(struct sca_view *view)
{
    if (view->nhistory == SCA_HISTORY)
        memmove(view->history + 1, view->history + 2, /* the first leads back to the list */
                (size_t)(--view->nhistory - 1) * sizeof *view->history);
    view->history[view->nhistory++] =
        (struct sca_place){view->kind, view->shown, view->cursor, view->pane.top, view->below};
}

static void go_back(struct sca_view *view)
{
    if (!view->nhistory) {
        view->below = false;
        return;
    }
    struct sca_place place = view->history[--view->nhistory];
    view->below = place.below;
    view->shown = place.shown;
    view->skip = 0;
    sca_view_show(view, place.kind);
    if (place.below)
        sca_view_move_cursor(view, (long)place.cursor);
    sca_view_scroll(view, (long)place.top - (long)view->pane.top);
}

/* Whoever moves in the list leaves the hops that were followed. */
static void leave_hops(struct sca_view *view)
{
    if (view->nhistory) {
        view->nhistory = 0;
        sca_view_select(view, view->list[view->in_tree].row);
    }
}

static void enter_pane(struct sca_view *view, enum sca_pane_kind kind)
{
    remember(view);
    view->below = true;
    sca_view_show(view, kind);
}

static void follow_line(struct sca_view *view)
{
    const struct sca_lines *lines = &view->pane.lines;
    uint32_t vertex =
        view->cursor < lines->count ? lines->line[view->cursor].vertex : SCA_NO_VERTEX;
    if (vertex == SCA_NO_VERTEX) {
        snprintf(view->message, sizeof view->message, "This line has nothing to follow.");
        return;
    }
    remember(view);
    view->shown = vertex;
    view->skip = 0;
    sca_view_show(view, SCA_SOURCE);
}

/* The tree, whose values are others; the selected vertex stays. */
static void sort_anew(struct sca_view *view)
{
    uint32_t vertex = view->in_tree ? sca_view_vertex(view) : SCA_NO_VERTEX;
    sca_tree_sort(&view->tree, view->tree.sort);
    if (vertex != SCA_NO_VERTEX)
        sca_view_select(view, sca_tree_reveal(&view->tree, vertex));
}

/* The metric under the cursor is what tree and ranks show; once more, and they show time. */
static void choose_metric(struct sca_view *view)
{
    const struct sca_report *r = view->model.report;
    uint32_t n, *order = sca_metrics_order(r, &n);
    size_t row = view->cursor - view->pane.fixed;
    uint32_t metric = row < n ? order[row] : SCA_NO_METRIC;
    free(order);
    if (metric == SCA_NO_METRIC)
        return;
    if (metric == view->model.metric.metric)
        metric = SCA_NO_METRIC;
    if (sca_metric_table_choose(&view->model.metric, r, metric))
        snprintf(view->message, sizeof view->message, "%.200s", sca_error_message());
    else
        snprintf(view->message, sizeof view->message, "Tree (v) and ranks (3) show %.100s",
                 metric == SCA_NO_METRIC ? "time" : sca_metric_title(r, metric));
    sort_anew(view);
    sca_view_show_again(view);
}

static void expand(struct sca_view *view, bool open)
{
    uint32_t vertex = sca_view_vertex(view);
    if (vertex == SCA_NO_VERTEX)
        return;
    if (!open && (!view->tree.open[vertex] || !sca_tree_has_children(&view->tree, vertex)))
        vertex = view->model.report->vertices[vertex].parent;
    else
        sca_tree_expand(&view->tree, vertex, open);
    sca_view_select(view, sca_tree_reveal(&view->tree, vertex));
    if (view->kind == SCA_BARS) /* open, a vertex stands for itself alone */
        sca_view_show(view, SCA_BARS);
}

static void expand_all(struct sca_view *view)
{
    uint32_t vertex = sca_view_vertex(view);
    sca_tree_expand_all(&view->tree, true);
    if (vertex != SCA_NO_VERTEX)
        sca_view_select(view, sca_tree_reveal(&view->tree, vertex));
}

static void enter(struct sca_view *view)
{
    uint32_t vertex = sca_view_vertex(view);
    if (view->below && view->kind == SCA_METRICS)
        choose_metric(view);
    else if (view->below)
        follow_line(view);
    else if (vertex == SCA_NO_VERTEX)
        return;
    else if (view->in_tree && sca_tree_has_children(&view->tree, vertex))
        expand(view, !view->tree.open[vertex]);
    else
        enter_pane(view, view->in_tree ? SCA_SOURCE : SCA_CHAIN);
}

static void change_list(struct sca_view *view)
{
    uint32_t vertex = view->shown;
    view->nhistory = 0;
    view->below = false;
    view->in_tree = !view->in_tree;
    if (view->in_tree && vertex != SCA_NO_VERTEX)
        sca_view_select(view, sca_tree_reveal(&view->tree, vertex));
    else
        sca_view_select(view, view->list[view->in_tree].row);
    if (sca_panes_is_whole(view->kind) && view->shown != SCA_NO_VERTEX)
        sca_view_show(view, SCA_SOURCE);
}

/* In the list the new first row is what was asked for; in the tree the selected vertex stays. */
static void sort(struct sca_view *view, enum sca_sort by)
{
    uint32_t vertex = sca_view_vertex(view);
    long row = 0;
    leave_hops(view);
    if (view->in_tree) {
        sca_tree_sort(&view->tree, by);
        row = vertex == SCA_NO_VERTEX ? 0 : sca_tree_reveal(&view->tree, vertex);
    } else if (by != SCA_BY_PROGRAM) {
        sca_model_sort(&view->model, by);
    } else {
        return;
    }
    sca_view_select(view, row);
    snprintf(view->message, sizeof view->message, "Sorted by %s", sca_model_sort_name(by));
}

static void move(struct sca_view *view, long lines)
{
    if (view->below) {
        sca_view_move_cursor(view, (long)view->cursor + lines);
    } else {
        leave_hops(view);
        sca_view_select(view, (long)view->list[view->in_tree].row + lines);
    }
}

static void sideways(struct sca_view *view, int direction)
{
    if (view->below && view->kind == SCA_SOURCE) {
        view->skip += direction * SIDEWAYS;
        view->skip = view->skip < 0 ? 0 : view->skip;
        sca_view_show_again(view);
    } else if (!view->below && view->in_tree) {
        expand(view, direction > 0);
    }
}

static void ask(struct sca_view *view, enum sca_prompt prompt)
{
    view->prompt = prompt;
    view->input[0] = '\0';
}

static void answer(struct sca_view *view)
{
    enum sca_prompt prompt = view->prompt;
    view->prompt = SCA_NO_PROMPT;
    if (!view->input[0])
        return;
    if (prompt == SCA_ASK_SEARCH) {
        snprintf(view->needle, sizeof view->needle, "%s", view->input);
        sca_view_search(view, 1, true);
    } else if (sca_source_map(view->sources, view->input)) {
        snprintf(view->message, sizeof view->message, "%.200s", sca_error_message());
    } else {
        sca_view_show(view, SCA_SOURCE);
    }
}

static void erase(char *input)
{
    size_t length = strlen(input);
    while (length && (input[length - 1] & 0xc0) == 0x80) /* the tail of a UTF-8 character */
        length--;
    input[length ? length - 1 : 0] = '\0';
}

/* Bytes of UTF-8 come one by one and are kept as they are. */
static void type(struct sca_view *view, int key)
{
    size_t length = strlen(view->input);
    if (key == SCA_KEY_ENTER)
        answer(view);
    else if (key == SCA_KEY_ESCAPE || (key == SCA_KEY_BACKSPACE && !length))
        view->prompt = SCA_NO_PROMPT;
    else if (key == SCA_KEY_BACKSPACE)
        erase(view->input);
    else if (key >= ' ' && key < 256 && key != 127 && length + 1 < sizeof view->input) {
        view->input[length] = (char)key;
        view->input[length + 1] = '\0';
    }
}

static bool sort_key(struct sca_view *view, int key)
{
    static const char keys[] = "gctisp"; /* in the order of enum sca_sort */
    const char *found = key < 128 && key ? strchr(keys, key) : NULL;
    if (found)
        sort(view, (enum sca_sort)(found - keys));
    return found != NULL;
}

static bool motion_key(struct sca_view *view, int key)
{
    long page = view->below ? view->layout.pane_rows - 1 : view->layout.list_rows - 1;
    long far = 1l << 30;
    if (key == SCA_KEY_UP || key == 'k')
        move(view, -1);
    else if (key == SCA_KEY_DOWN || key == 'j')
        move(view, 1);
    else if (key == SCA_KEY_PAGE_UP)
        move(view, -page);
    else if (key == SCA_KEY_PAGE_DOWN || key == ' ')
        move(view, page);
    else if (key == SCA_KEY_HOME)
        move(view, -far);
    else if (key == SCA_KEY_END || key == 'G')
        move(view, far);
    else if (key == SCA_KEY_LEFT || key == 'h' || key == '-')
        sideways(view, -1);
    else if (key == SCA_KEY_RIGHT || key == 'l' || key == '+')
        sideways(view, 1);
    else if (key == 'J' || key == 'K')
        sca_view_scroll(view, key == 'J' ? 1 : -1);
    else
        return false;
    return true;
}

static void pane_key(struct sca_view *view, int key)
{
    for (int kind = 0; kind < SCA_PANES; kind++)
        if (key == sca_panes_key(kind))
            sca_view_show(view, kind);
    if (key == SCA_KEY_TAB)
        sca_view_show(view, (view->kind + 1) % SCA_PANES);
    else if (key == SCA_KEY_BACKTAB)
        sca_view_show(view, (view->kind + SCA_PANES - 1) % SCA_PANES);
}

static void command_key(struct sca_view *view, int key)
{
    if (key == 'q' || key == 'Q')
        view->quit = true;
    else if (key == '?')
        view->help = true;
    else if (key == SCA_KEY_ENTER)
        enter(view);
    else if (key == SCA_KEY_ESCAPE || key == SCA_KEY_BACKSPACE)
        go_back(view);
    else if (key == 'v')
        change_list(view);
    else if (key == 'w')
        view->below = !view->below;
    else if (key == '/')
        ask(view, SCA_ASK_SEARCH);
    else if (key == 'm')
        ask(view, SCA_ASK_MAPPING);
    else if (key == 'n' || key == 'N')
        sca_view_search(view, key == 'n' ? 1 : -1, false);
    else if (key == '*' && view->in_tree)
        expand_all(view);
    else
        pane_key(view, key);
}

/* The head of a timeline is about the row under the cursor. */
static void follow_cursor(struct sca_view *view)
{
    if (view->kind != SCA_TIMELINE || !view->below || view->cursor < view->pane.fixed)
        return;
    view->time.timeline.line = (uint32_t)(view->cursor - view->pane.fixed);
    sca_view_show_again(view);
}

/* Times of the tree are those of the range. */
static bool mark_range(struct sca_view *view)
{
    const struct sca_time_range *r = &view->model.range;
    bool was = r->chosen;
    if (sca_series_mark(&view->time.series, &view->model))
        snprintf(view->message, sizeof view->message, "%.200s", sca_error_message());
    else if (r->chosen)
        snprintf(view->message, sizeof view->message,
                 "Iterations %.0f to %.0f: tree (v), account and timeline are of these", r->from,
                 r->to);
    else if (view->time.series.from > 0)
        snprintf(view->message, sizeof view->message,
                 "The range goes from iteration %.0f to where r is pressed again",
                 view->time.series.from);
    if (was != r->chosen)
        sort_anew(view);
    return true;
}

/* Keys of the panes about time, where these have the focus. */
static bool time_key(struct sca_view *view, int key)
{
    bool used =
        view->below &&
        ((view->kind == SCA_SERIES && sca_series_key(&view->time.series, &view->model, key)) ||
         (view->kind == SCA_TIMELINE && sca_timeline_key(&view->time.timeline, &view->model, key)));
    if (view->below && view->kind == SCA_SERIES && key == 'r')
        used = mark_range(view);
    if (used)
        sca_view_show_again(view);
    return used;
}

void sca_view_key(struct sca_view *view, int key)
{
    view->message[0] = '\0';
    if (view->prompt)
        type(view, key);
    else if (view->help)
        view->help = false;
    else if (!time_key(view, key) && !sort_key(view, key) && !motion_key(view, key))
        command_key(view, key);
    follow_cursor(view);
    sca_view_arrange(view);
}

static void click_time(struct sca_view *view, int column)
{
    int width = sca_view_pane_columns(view);
    if (view->kind == SCA_SERIES)
        sca_series_click(&view->time.series, &view->model, column, width);
    else if (view->kind == SCA_TIMELINE)
        sca_timeline_click(&view->time.timeline, &view->model, column, width);
    else
        return;
    sca_view_show_again(view);
}

static void click_pane(struct sca_view *view, int row, int column, enum sca_click click)
{
    view->below = true;
    long line = row - view->layout.pane_first;
    if (line >= (long)view->pane.fixed)
        line += (long)view->pane.top - (long)view->pane.fixed;
    sca_view_move_cursor(view, line);
    follow_cursor(view);
    click_time(view, column);
    if (click == SCA_DOUBLE_CLICK)
        enter(view);
}

static void click_list(struct sca_view *view, int row, enum sca_click click)
{
    long at = (long)view->list[view->in_tree].top + row - view->layout.list_first;
    view->below = false;
    leave_hops(view);
    if (at < (long)sca_view_count(view))
        sca_view_select(view, at);
    if (click == SCA_DOUBLE_CLICK)
        enter(view);
}

void sca_view_mouse(struct sca_view *view, int row, int column, enum sca_click click)
{
    const struct sca_layout *l = &view->layout;
    bool in_pane = row >= l->pane_first && row < l->pane_first + l->pane_rows;
    bool in_list = row >= l->list_first && row < l->list_first + l->list_rows;
    int tab = row == l->divider ? sca_view_tab_at(view, column) : -1;
    long wheel = click == SCA_WHEEL_UP ? -WHEEL : click == SCA_WHEEL_DOWN ? WHEEL : 0;
    view->message[0] = '\0';
    view->help = false;
    if (in_pane && wheel)
        sca_view_scroll(view, wheel);
    else if (in_pane)
        click_pane(view, row, column, click);
    else if (in_list && wheel)
        sca_view_select(view, (long)view->list[view->in_tree].row + (wheel > 0 ? 1 : -1));
    else if (in_list)
        click_list(view, row, click);
    else if (tab >= 0)
        sca_view_show(view, (enum sca_pane_kind)tab);
    sca_view_arrange(view);
}
