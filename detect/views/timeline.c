/* Recorded iterations as ranks by virtual time: a typical window, the slowest, the rarest. */
#include "views/timeline.h"
#include "replay/critical_walk.h"
#include "sca_error.h"
#include "timeline/by_length.h"
#include "timeline/pieces.h"
#include "timeline/slice_replay.h"
#include "timeline/window_efficiency.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHOSEN = 3 };

enum { WINDOW, RANK, ACTIVITY, BEGIN, END, FOR, CRITICAL, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [WINDOW] = {"window", NULL, SCA_CELL_TEXT},      [RANK] = {"rank", NULL, SCA_CELL_COUNT},
    [ACTIVITY] = {"activity", NULL, SCA_CELL_TEXT},  [BEGIN] = {"begin_s", NULL, SCA_CELL_SECONDS},
    [END] = {"end_s", NULL, SCA_CELL_SECONDS},       [FOR] = {"waits_for", NULL, SCA_CELL_COUNT},
    [CRITICAL] = {"critical", NULL, SCA_CELL_COUNT},
};

static const char *const names[CHOSEN] = {"typical", "slowest", "rarest"};

struct showing_time {
    const struct sca_view_input *in;
    const struct sca_ppg_run *run;
    struct sca_table *out;
    struct sca_pieces pieces;
    struct sca_by_length by_length;
    double *length;          /* per piece, seconds of an iteration */
    uint32_t chosen[CHOSEN]; /* pieces; SCA_NONE: none that differs */
    struct sca_slice_replay play;
    struct sca_timeline *lines;
    double *seconds; /* per vertex, of computation in those that are shown */
};

/* ---- which windows ---- */

static void measure(struct showing_time *t)
{
    t->length = sca_workspace_alloc(t->in->space, t->pieces.count, sizeof *t->length);
    for (uint32_t i = 0; i < t->pieces.count; i++) {
        struct sca_workspace scratch = {.out_of_memory = t->in->space->out_of_memory};
        struct sca_slice_replay play;
        sca_slice_replay_make(&scratch, t->run, t->pieces.of[i].slices, &play);
        t->length[i] = play.replay.end / fmax(1, t->pieces.of[i].iterations);
        sca_workspace_free(&scratch);
    }
}

static int by_length(const void *a, const void *b, void *length)
{
    const double *of = length;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (of[x] != of[y])
        return of[x] < of[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void choose(struct showing_time *t)
{
    uint32_t n = t->pieces.count, rarest = 0;
    uint32_t *order = sca_workspace_alloc(t->in->space, n, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        if (t->pieces.of[i].stands_for < t->pieces.of[rarest].stands_for)
            rarest = i;
    }
    qsort_r(order, n, sizeof *order, by_length, t->length);
    t->chosen[0] = order[n / 2];
    t->chosen[1] = order[n - 1] != t->chosen[0] ? order[n - 1] : SCA_NONE;
    bool rare = t->pieces.of[rarest].stands_for < t->pieces.of[t->chosen[0]].stands_for;
    t->chosen[2] = rare && rarest != t->chosen[1] ? rarest : SCA_NONE;
}

/* ---- what ranks do ---- */

static uint32_t vertex_of(const struct showing_time *t, uint32_t site)
{
    uint32_t vertex = site < t->run->profile->nsites ? t->run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

static uint32_t add_spans(struct showing_time *t, uint32_t rank, uint32_t i, const bool *critical,
                          struct sca_span *to)
{
    const struct sca_replay *replay = &t->play.replay;
    struct sca_trace_event call = sca_trace_event_of(&t->play.trace.sequences[rank], i);
    uint32_t event = sca_replay_at(replay, rank, i), n = 0, place = vertex_of(t, call.site);
    double enter = replay->enter[event], exit = sca_replay_exit(replay, event);
    if (replay->interval[event] > 0)
        to[n++] = (struct sca_span){
            .begin = enter - replay->interval[event],
            .end = enter,
            .place = sca_by_length_place(&t->by_length, rank, call, replay->interval[event]),
            .critical = critical[event],
            .by = SCA_NONE};
    if (exit > enter)
        to[n++] = (struct sca_span){.begin = enter,
                                    .end = exit,
                                    .place = place,
                                    .waits = true,
                                    .meets = sca_replay_is_collective(replay, event),
                                    .by = sca_replay_rank(replay, replay->waited_for[event])};
    return n;
}

static bool *find_critical(const struct showing_time *t)
{
    struct sca_critical_walk walk;
    bool *critical = sca_workspace_alloc(t->in->space, t->play.trace.nevents, sizeof *critical);
    sca_critical_walk_begin(&walk, &t->play.replay, t->run->profile);
    for (uint32_t at; (at = sca_critical_walk_next(&walk)) != SCA_NO_EVENT;)
        critical[at] = true;
    return critical;
}

static void make_line(struct showing_time *t, const struct sca_piece *piece, const char *name,
                      struct sca_timeline *line)
{
    struct sca_workspace *space = t->in->space;
    uint32_t n = 0;
    sca_slice_replay_make(space, t->run, piece->slices, &t->play);
    const bool *critical = find_critical(t);
    line->end = t->play.replay.end;
    line->nranks = t->run->nranks;
    line->first = sca_workspace_alloc(space, t->run->nranks + (size_t)1, sizeof *line->first);
    line->spans =
        sca_workspace_alloc(space, 2 * (size_t)t->play.trace.nevents, sizeof *line->spans);
    for (uint32_t r = 0; r < t->run->nranks; r++) {
        for (uint32_t i = 0; i < t->play.trace.sequences[r].nevents; i++)
            n += add_spans(t, r, i, critical, &line->spans[n]);
        line->first[r + 1] = n;
    }
    struct sca_window_efficiency efficiency = sca_window_efficiency_of(&t->play.replay);
    line->title =
        sca_table_text(t->out,
                       "%s: %s, at %s of the run; %llu such window%s; load balance %.2f, "
                       "serialisation %.2f",
                       name, sca_table_duration(t->out, line->end),
                       sca_table_duration(t->out, 1e-9 * (double)piece->begin_ns),
                       (unsigned long long)piece->stands_for, piece->stands_for == 1 ? "" : "s",
                       efficiency.load_balance, efficiency.serialisation);
}

/* ---- rows and letters ---- */

static void add_rows(struct showing_time *t, const struct sca_timeline *line, const char *name)
{
    for (uint32_t r = 0; r < line->nranks; r++)
        for (uint32_t i = line->first[r]; i < line->first[r + 1]; i++) {
            const struct sca_span *s = &line->spans[i];
            struct sca_row *row = sca_table_row(t->out, &t->in->ppg->vertices[s->place]);
            row->cells[WINDOW].text = name;
            row->cells[RANK].number = r;
            row->cells[ACTIVITY].text = !s->waits  ? "computes"
                                        : s->meets ? "collective"
                                                   : "message";
            row->cells[BEGIN].number = s->begin;
            row->cells[END].number = s->end;
            row->cells[FOR].number = s->by == SCA_NONE ? (double)NAN : s->by;
            row->cells[CRITICAL].number = s->critical;
            if (!s->waits)
                t->seconds[s->place] += s->end - s->begin;
        }
}

static int most_first(const void *a, const void *b, void *seconds)
{
    return -by_length(a, b, seconds);
}

static void give_letters(struct showing_time *t, struct sca_timelines *all)
{
    uint32_t nv = t->in->ppg->nvertices;
    all->letters = sca_workspace_alloc(t->in->space, nv, sizeof *all->letters);
    for (uint32_t v = 0; v < nv; v++)
        if (t->seconds[v] > 0)
            all->letters[all->nletters++] = v;
    if (all->nletters)
        qsort_r(all->letters, all->nletters, sizeof *all->letters, most_first, t->seconds);
    if (all->nletters > SCA_TIMELINE_LETTERS)
        all->nletters = SCA_TIMELINE_LETTERS;
}

void sca_view_timeline(const struct sca_view_input *in, struct sca_table *out)
{
    struct showing_time t = {.in = in, .run = &in->ppg->runs[in->ppg->nruns - 1], .out = out};
    struct sca_timelines *all = sca_workspace_alloc(in->space, 1, sizeof *all);
    sca_pieces_find(in->space, t.run, false, &t.pieces);
    if (!t.pieces.count) {
        out->status = sca_fail(SCA_ENOTFOUND, "%s recorded no iterations that all ranks kept",
                               t.run->profile->directory);
        return;
    }
    sca_by_length_find(in->space, in->ppg, t.run, &t.by_length);
    measure(&t);
    choose(&t);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    t.seconds = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *t.seconds);
    t.lines = sca_workspace_alloc(in->space, CHOSEN, sizeof *t.lines);
    for (int i = 0; i < CHOSEN; i++)
        if (t.chosen[i] != SCA_NONE) {
            make_line(&t, &t.pieces.of[t.chosen[i]], names[i], &t.lines[all->count]);
            add_rows(&t, &t.lines[all->count++], names[i]);
        }
    all->of = t.lines;
    give_letters(&t, all);
    out->title = sca_table_text(out, "%s on %u ranks: ranks by virtual time in %u of %u windows",
                                in->ppg->program, t.run->nranks, all->count, t.pieces.count);
    out->drawing = all;
    out->draw = sca_timeline_draw;
    sca_table_note(out, "Virtual time: a replay as if each rank had a core and messages took no "
                        "time. Windows are recorded iterations, a sample of the run.");
    if (t.run->nranks > SCA_TIMELINE_RANKS)
        sca_table_note(out, "%d of %u ranks are drawn; JSON and CSV have all.", SCA_TIMELINE_RANKS,
                       t.run->nranks);
}
