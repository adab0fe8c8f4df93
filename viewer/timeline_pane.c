/* Recorded iterations as ranks by virtual time, in characters. */
#include "sca_phrase.h"
#include "sca_timelines.h"
#include "time_panes.h"
#include "timeline_rows.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 5, NARROWEST = 8, ZOOM = 2, DEEPEST = 1000000 };

static const struct sca_report_timelines *all_of(const struct sca_model *model)
{
    const struct sca_report_timelines *t = model->report->timelines;
    return t && t->count ? t : NULL;
}

static const struct sca_report_timeline *window_of(const struct sca_model *model,
                                                   const struct sca_timeline_look *look)
{
    const struct sca_report_timelines *t = all_of(model);
    return t ? &t->of[look->window < t->count ? look->window : 0] : NULL;
}

static const struct sca_report_play *play_of(const struct sca_report_timeline *w,
                                             const struct sca_timeline_look *look)
{
    return look->mended && w->mended.end > 0 ? &w->mended : &w->measured;
}

static double begin_of(const struct sca_timeline_look *look)
{
    return look->end > look->begin ? look->begin : 0;
}

static double end_of(const struct sca_report_timeline *w, const struct sca_timeline_look *look)
{
    return look->end > look->begin ? look->end : w->shown;
}

static int columns_of(int width)
{
    int columns = width - SCA_TIMELINE_NAME - 2;
    return columns > NARROWEST ? columns : NARROWEST;
}

/* ---- the head ---- */

static void put_window(struct sca_lines *lines, const struct sca_model *model,
                       const struct sca_timeline_look *look, int width)
{
    const struct sca_report_timeline *w = window_of(model, look);
    const struct sca_report_play *p = play_of(w, look);
    char text[256], end[16];
    int n = snprintf(text, sizeof text, "%s %u/%u: %s%s", w->name, look->window + 1,
                     all_of(model)->count, sca_label_seconds(p->end, end),
                     p == &w->mended ? ", FIRST CAUSE MENDED" : "");
    if (w->shown < p->end)
        n += snprintf(text + n, sizeof text - (size_t)n, " (first %s here)",
                      sca_label_seconds(w->shown, end));
    if (w->begin_s >= 0)
        n += snprintf(text + n, sizeof text - (size_t)n, ", second %.3g", w->begin_s);
    n += snprintf(text + n, sizeof text - (size_t)n, ", %.2g alike", w->stands_for);
    if (!isnan(p->load_balance))
        n += snprintf(text + n, sizeof text - (size_t)n, "; balance %.2f", p->load_balance);
    if (!isnan(p->serialisation))
        snprintf(text + n, sizeof text - (size_t)n, ", serialisation %.2f", p->serialisation);
    const struct sca_time_range *r = &model->range;
    if (r->chosen && w->begin_s >= 0 && (w->begin_s < r->begin_s || w->begin_s >= r->end_s))
        snprintf(text, sizeof text, "OUTSIDE OF THE RANGE: %s at second %.3g, %.2g alike", w->name,
                 w->begin_s, w->stands_for);
    sca_lines_begin(lines, SCA_HEADER, SCA_NO_VERTEX);
    sca_lines_text(lines, text, width, SCA_CUT_END);
}

static void put_place(struct sca_lines *lines, const struct sca_model *model, uint32_t vertex)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    sca_model_label(lines, v, 24);
    sca_lines_add(lines, " ");
    sca_model_place(lines, v, 28);
}

/* Of the letters, as many as fit: all of them stand below the ranks. */
static void put_letters(struct sca_lines *lines, const struct sca_model *model,
                        const struct sca_timeline_letters *of, int width)
{
    enum { ONE = 22 };
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    for (uint32_t i = 0; i < of->n && sca_lines_width(lines) + ONE < width; i++) {
        const struct sca_report_vertex *v = &model->report->vertices[of->vertex[i]];
        sca_lines_add(lines, "%s%c ", i ? "  " : "", 'a' + (int)i);
        sca_model_place(lines, v, ONE - 4);
    }
}

static void put_kind(struct sca_lines *lines, const struct sca_model *model, uint32_t kind)
{
    char words[SCA_PHRASE];
    sca_lines_text(lines, sca_phrase_wait_class(words, all_of(model)->kinds[kind]), 32,
                   SCA_CUT_END);
}

static void put_selected(struct sca_lines *lines, const struct sca_model *model,
                         const struct sca_report_timeline *w, const struct sca_report_span *s)
{
    char begin[16], length[16];
    sca_lines_begin(lines, SCA_MARKED, s->vertex);
    sca_lines_add(lines, "rank %u at %s: ", w->ranks[s->row], sca_label_seconds(s->begin, begin));
    sca_lines_add(lines, s->kind == SCA_TIMELINE_COMPUTES ? "computes %s in " : "waits %s in ",
                  sca_label_seconds(s->end - s->begin, length));
    put_place(lines, model, s->vertex);
    if (s->kind != SCA_TIMELINE_COMPUTES) {
        sca_lines_add(lines, ", ");
        put_kind(lines, model, s->kind);
    }
    if (s->by != UINT32_MAX)
        sca_lines_add(lines, ", for rank %u", s->by);
    if (s->critical)
        sca_lines_add(lines, ", critical");
}

/* Messages that leave or reach a row while the span lasts. */
static void put_messages(struct sca_lines *lines, const struct sca_report_timeline *w,
                         const struct sca_report_play *p, const struct sca_report_span *s,
                         int width)
{
    char at[16];
    bool any = false;
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    for (uint32_t i = 0; i < p->nmessages && sca_lines_width(lines) < width; i++) {
        const struct sca_report_message *m = &p->messages[i];
        bool sent = m->from == s->row && m->sent > s->begin && m->sent <= s->end;
        bool received = m->to == s->row && m->received > s->begin && m->received <= s->end;
        if (sent)
            sca_lines_add(lines, "%sto %u at %s", any ? ", " : "messages: ", w->ranks[m->to],
                          sca_label_seconds(m->sent, at));
        any |= sent;
        if (received)
            sca_lines_add(lines, "%sfrom %u, sent at %s",
                          any ? ", " : "messages: ", w->ranks[m->from],
                          sca_label_seconds(m->sent, at));
        any |= received;
    }
}

static void put_ruler(struct sca_lines *lines, const struct sca_report_timeline *w,
                      const struct sca_timeline_look *look, int width)
{
    char begin[16], end[16];
    double from = begin_of(look), to = end_of(w, look);
    int columns = columns_of(width);
    double part = to > from ? (look->at - from) / (to - from) : 0;
    int at = (int)fmin(fmax(floor(part * columns), -1), columns); /* -1, columns: out of sight */
    sca_label_seconds(from, begin);
    sca_label_seconds(to, end);
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_pad(lines, SCA_TIMELINE_NAME + 1);
    sca_lines_add(lines, at > (int)strlen(begin) ? "%s" : "%.0s", begin);
    if (at >= 0 && at < columns) {
        sca_lines_pad(lines, SCA_TIMELINE_NAME + 1 + at);
        sca_lines_add(lines, "%s", sca_text_glyphs()->below);
    }
    if (at < columns - (int)strlen(end) - 1) {
        sca_lines_pad(lines, SCA_TIMELINE_NAME + 1 + columns - (int)strlen(end));
        sca_lines_add(lines, "%s", end);
    }
}

/* Exactly HEAD lines, that stay while the ranks scroll. */
static void put_head(struct sca_lines *lines, const struct sca_model *model,
                     const struct sca_timeline_look *look, const struct sca_timeline_letters *of,
                     int width)
{
    const struct sca_report_timeline *w = window_of(model, look);
    const struct sca_report_play *p = play_of(w, look);
    const struct sca_report_span *s =
        look->line < w->nrows ? sca_timeline_rows_at(p, look->line, look->at) : NULL;
    put_window(lines, model, look, width);
    put_letters(lines, model, of, width);
    if (s) {
        put_selected(lines, model, w, s);
        put_messages(lines, w, p, s, width);
    }
    sca_lines_exactly(lines, HEAD - 1);
    put_ruler(lines, w, look, width);
}

/* ---- the pane ---- */

static void put_rows(struct sca_lines *lines, const struct sca_model *model,
                     const struct sca_timeline_look *look, const struct sca_timeline_letters *of,
                     int width)
{
    const struct sca_report_timeline *w = window_of(model, look);
    const struct sca_report_play *p = play_of(w, look);
    int columns = columns_of(width);
    for (uint32_t row = 0; row < w->nrows; row++) {
        const struct sca_report_span *s = sca_timeline_rows_at(p, row, look->at);
        sca_lines_begin(lines, SCA_PLAIN, s ? s->vertex : SCA_NO_VERTEX);
        sca_lines_add(lines, "%*u ", SCA_TIMELINE_NAME, w->ranks[row]);
        sca_timeline_rows_draw(
            lines, p, row, of,
            (struct sca_timeline_part){begin_of(look), end_of(w, look), columns});
    }
}

static uint32_t of_ranks(const struct sca_model *model)
{
    const struct sca_report_run *run = sca_model_largest(model);
    return run ? run->ranks : 0;
}

static void put_legend(struct sca_lines *lines, const struct sca_model *model,
                       const struct sca_timeline_letters *of)
{
    char seconds[16];
    sca_lines_say(lines, SCA_HEADER, "Computation (capitals: on the critical path)");
    for (uint32_t i = 0; i < of->n; i++) {
        sca_lines_begin(lines, SCA_PLAIN, of->vertex[i]);
        sca_lines_add(lines, "  %c  %9s  ", 'a' + (int)i,
                      sca_label_seconds(of->seconds[i], seconds));
        put_place(lines, model, of->vertex[i]);
    }
    sca_lines_say(lines, SCA_PLAIN, "  %c  other computation", SCA_TIMELINE_OTHER);
    if (of_ranks(model) > all_of(model)->of[0].nrows)
        sca_lines_say(lines, SCA_DIM, "Rows are %u of %u ranks.", all_of(model)->of[0].nrows,
                      of_ranks(model));
    sca_lines_say(lines, SCA_HEADER, "Waiting");
    for (uint32_t k = 1; k < all_of(model)->nkinds; k++)
        if (of->waits[k < SCA_TIMELINE_KINDS ? k : 0]) {
            sca_lines_say(lines, SCA_PLAIN, "  %c  ", sca_timeline_rows_sign(k));
            put_kind(lines, model, k);
        }
}

void sca_timeline_pane(struct sca_pane *pane, const struct sca_model *model,
                       const struct sca_timeline_look *look, int width)
{
    struct sca_timeline_letters letters;
    if (!all_of(model)) {
        sca_lines_wrap(&pane->lines, SCA_WARNING,
                       model->report->timelines
                           ? "No timeline: no recorded iterations stand for the run, or several "
                             "processes shared its analysis."
                           : "The report has no timelines. scalana-detect --timelines writes them, "
                             "and so does scalana report for a result.",
                       0, width);
        return;
    }
    sca_timeline_rows_letters(model->report, &letters);
    put_head(&pane->lines, model, look, &letters, width);
    pane->fixed = pane->lines.count;
    put_rows(&pane->lines, model, look, &letters, width);
    put_legend(&pane->lines, model, &letters);
}

/* ---- keys ---- */

/* The part shown is around the place, within the window. */
static void show_part(struct sca_timeline_look *look, const struct sca_report_timeline *w,
                      double begin, double length)
{
    if (length >= w->shown || length <= w->shown / DEEPEST) {
        look->begin = look->end = 0;
        return;
    }
    begin = fmin(begin, w->shown - length);
    look->begin = fmax(begin, 0);
    look->end = look->begin + length;
}

static void zoom(struct sca_timeline_look *look, const struct sca_report_timeline *w, bool in)
{
    double length = end_of(w, look) - begin_of(look);
    double next = in ? length / ZOOM : length * ZOOM;
    if (next <= w->shown / DEEPEST)
        return;
    double part = length > 0 ? (look->at - begin_of(look)) / length : 0;
    show_part(look, w, look->at - part * next, next);
}

static void pan(struct sca_timeline_look *look, const struct sca_report_timeline *w, int direction)
{
    double length = end_of(w, look) - begin_of(look);
    show_part(look, w, begin_of(look) + direction * length / 2, length);
    look->at = fmin(fmax(look->at, begin_of(look)), end_of(w, look));
}

static void keep_in_sight(struct sca_timeline_look *look, const struct sca_report_timeline *w)
{
    double begin = begin_of(look), end = end_of(w, look);
    if (look->at < begin || look->at >= end)
        show_part(look, w, look->at - (end - begin) / 2, end - begin);
}

/* To the middle of the next or previous thing that the rank does. */
static void step(struct sca_timeline_look *look, const struct sca_report_timeline *w, int direction)
{
    const struct sca_report_play *p = play_of(w, look);
    uint32_t row = look->line < w->nrows ? look->line : 0;
    const struct sca_report_span *s = sca_timeline_rows_beside(p, row, look->at, direction);
    if (s)
        look->at = s->begin + (s->end - s->begin) / 2;
    keep_in_sight(look, w);
}

void sca_timeline_open(struct sca_timeline_look *look, const struct sca_model *model, int rows)
{
    const struct sca_report_timeline *w = window_of(model, look);
    if (!w || look->line || look->at > 0 || (int)w->nrows + HEAD <= rows)
        return;
    const struct sca_report_play *p = play_of(w, look);
    const struct sca_report_span *longest = NULL;
    for (uint32_t i = 0; i < p->nspans; i++) {
        const struct sca_report_span *s = &p->spans[i];
        if (s->critical && s->kind == SCA_TIMELINE_COMPUTES && s->row < w->nrows &&
            (!longest || s->end - s->begin > longest->end - longest->begin))
            longest = s;
    }
    look->line = longest ? longest->row : 0;
    look->at = longest ? fmin(longest->begin + (longest->end - longest->begin) / 2, w->shown) : 0;
}

bool sca_timeline_key(struct sca_timeline_look *look, const struct sca_model *model, int key)
{
    const struct sca_report_timeline *w = window_of(model, look);
    if (!w)
        return false;
    if (key == 'o')
        *look = (struct sca_timeline_look){.window = (look->window + 1) % all_of(model)->count,
                                           .line = look->line,
                                           .mended = look->mended};
    else if (key == 'x' && w->mended.end > 0)
        look->mended = !look->mended;
    else if (key == '+' || key == '-')
        zoom(look, w, key == '+');
    else if (key == '<' || key == '>')
        pan(look, w, key == '>' ? 1 : -1);
    else if (key == '=')
        look->begin = look->end = 0;
    else if (key == SCA_KEY_LEFT || key == 'h' || key == SCA_KEY_RIGHT || key == 'l')
        step(look, w, key == SCA_KEY_RIGHT || key == 'l' ? 1 : -1);
    else
        return false;
    return true;
}

void sca_timeline_click(struct sca_timeline_look *look, const struct sca_model *model, int column,
                        int width)
{
    const struct sca_report_timeline *w = window_of(model, look);
    int at = column - SCA_TIMELINE_NAME - 1, columns = columns_of(width);
    if (!w || at < 0 || at >= columns)
        return;
    double begin = begin_of(look);
    look->at = begin + (at + 0.5) / columns * (end_of(w, look) - begin);
}
