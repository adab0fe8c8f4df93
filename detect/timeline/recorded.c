#include "timeline/recorded.h"
#include "base/degrees.h"
#include "timeline/loop_of_series.h"
#include "timeline/pieces.h"
#include "timeline/recorded_contexts.h"
#include "timeline/slice_replay.h"

#include <math.h>
#include <stdlib.h>

struct event_range { /* of a rank's events in the replay of a piece */
    uint32_t begin, end;
};

struct recording {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const uint32_t *ends;
    struct sca_recorded *out;
    struct sca_pieces pieces; /* joined */
    bool *takes_part;         /* [rank] it is in the series */
    uint32_t ntaking;
    struct sca_recorded_contexts add;
    /* Of the section at hand. */
    uint32_t section, point; /* point: the sums in `add` are of; UINT32_MAX: none */
    struct sca_loop_iterations list;
    uint64_t *numbers;
    bool late; /* the computation before its first call belongs to the iteration before */
};

/* ---- an iteration ---- */

static void close_point(struct recording *f)
{
    if (f->point != UINT32_MAX) {
        struct sca_recorded_point *to = &f->out->points[f->point];
        to->ncontexts = sca_recorded_contexts_take(f->space, &f->add, &to->contexts);
    }
    f->point = UINT32_MAX;
}

static void add_call(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                     uint32_t i, bool computes)
{
    struct sca_trace_event call = sca_trace_event_of(&replay->trace->sequences[rank], i);
    uint32_t event = sca_replay_at(replay, rank, i);
    sca_recorded_contexts_call(&f->add, call.site, sca_replay_waited(replay, event));
    if (computes)
        sca_recorded_contexts_compute(&f->add, rank, call, replay->interval[event]);
}

static double exit_of(const struct sca_replay *replay, uint32_t rank, uint32_t i)
{
    return sca_replay_exit(replay, sca_replay_at(replay, rank, i));
}

/* When the rank is done with all before event i: `late`, with the computation that leads to it. */
static double done_before(const struct recording *f, const struct sca_replay *replay, uint32_t rank,
                          uint32_t i)
{
    if (f->late && i < replay->trace->sequences[rank].nevents)
        return replay->enter[sca_replay_at(replay, rank, i)];
    return i ? exit_of(replay, rank, i - 1) : 0;
}

static double add_rank(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                       struct event_range r)
{
    double own = 0;
    uint32_t n = replay->trace->sequences[rank].nevents;
    for (uint32_t i = r.begin; i < r.end; i++) {
        bool computes = !f->late || i > r.begin;
        add_call(f, replay, rank, i, computes);
        own += computes ? replay->interval[sca_replay_at(replay, rank, i)] : 0;
    }
    if (f->late && r.end < n) {
        struct sca_trace_event call = sca_trace_event_of(&replay->trace->sequences[rank], r.end);
        double seconds = replay->interval[sca_replay_at(replay, rank, r.end)];
        sca_recorded_contexts_compute(&f->add, rank, call, seconds);
        own += seconds;
    }
    return own;
}

static void add_iteration(struct recording *f, const struct sca_replay *replay, uint32_t point,
                          const struct event_range *ranges, double iterations)
{
    struct sca_recorded_point *p = &f->out->points[point];
    if (point != f->point)
        close_point(f);
    f->point = point;
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        if (!f->takes_part[r] || ranges[r].begin == ranges[r].end)
            continue;
        double own = add_rank(f, replay, r, ranges[r]);
        sca_recorded_contexts_end_rank(&f->add);
        p->own += own / f->ntaking;
        p->span += (done_before(f, replay, r, ranges[r].end) -
                    done_before(f, replay, r, ranges[r].begin)) /
                   f->ntaking;
    }
    sca_recorded_contexts_end_iteration(&f->add);
    p->iterations += iterations;
}

/* ---- a piece ---- */

/* Where each window of the piece begins in the rank's replay. */
static uint32_t *offsets_of(struct sca_workspace *space, const struct recording *f,
                            const struct sca_piece *piece, uint32_t rank)
{
    const struct sca_rank *r = &f->run->profile->ranks[rank];
    uint32_t *offset = sca_workspace_alloc(space, piece->windows + 1ul, sizeof *offset);
    for (uint32_t w = 0; w < piece->windows; w++)
        offset[w + 1] = offset[w] + r->windows[piece->slices[rank].first + w].nevents;
    return offset;
}

static bool is_in(const struct sca_piece *piece, const struct sca_loop_iteration *i, uint32_t rank)
{
    uint32_t first = piece->slices[rank].first, at = i->slices[rank].first;
    return i->slices[rank].nevents && at >= first && at - first < piece->windows;
}

static bool fill_ranges(const struct recording *f, const struct sca_piece *piece,
                        const struct sca_loop_iteration *i, uint32_t *const *offsets,
                        struct event_range *ranges)
{
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        ranges[r] = (struct event_range){0, 0};
        if (!i->slices[r].nevents)
            continue;
        if (!is_in(piece, i, r))
            return false;
        ranges[r].begin =
            offsets[r][i->slices[r].first - piece->slices[r].first] + i->slices[r].begin;
        ranges[r].end = ranges[r].begin + i->slices[r].nevents;
        if (ranges[r].end > offsets[r][piece->windows])
            return false;
    }
    return true;
}

/* The last one of a piece has no end where that lies before the next call. */
static bool has_end(const struct recording *f, const struct sca_piece *piece,
                    uint32_t *const *offsets, const struct event_range *ranges)
{
    for (uint32_t r = 0; f->late && r < f->run->nranks; r++)
        if (f->takes_part[r] && ranges[r].end == offsets[r][piece->windows])
            return false;
    return true;
}

static void take_piece(struct recording *f, const struct sca_piece *piece)
{
    struct sca_workspace scratch = {.out_of_memory = f->space->out_of_memory};
    uint32_t nranks = f->run->nranks, first = f->out->series->ranks[0];
    uint32_t **offsets = sca_workspace_alloc(&scratch, nranks, sizeof *offsets);
    struct event_range *ranges = sca_workspace_alloc(&scratch, nranks, sizeof *ranges);
    struct sca_slice_replay play;
    sca_slice_replay_make(&scratch, f->run, piece->slices, &play);
    for (uint32_t r = 0; r < nranks; r++)
        offsets[r] = offsets_of(&scratch, f, piece, r);
    for (uint32_t i = 0; i < f->list.count; i++) {
        if (!f->numbers[i] || !is_in(piece, &f->list.of[i], first))
            continue;
        uint32_t point = sca_point_of(f->out->series, f->section, f->numbers[i]);
        if (point != UINT32_MAX && (f->point == UINT32_MAX || point >= f->point) &&
            fill_ranges(f, piece, &f->list.of[i], offsets, ranges) &&
            has_end(f, piece, offsets, ranges))
            add_iteration(f, &play.replay, point, ranges, 1);
    }
    sca_workspace_free(&scratch);
}

/* ---- whether what is computed before the first call belongs to the iteration before ---- */

struct first_calls { /* of iterations, sums over ranks */
    double *own, *first;
};

static void sum_ranks(struct recording *f, const struct first_calls *p)
{
    struct sca_opened *opened = sca_workspace_opened(f->space, f->run->profile);
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        const struct sca_rank *rank =
            f->takes_part[r] ? sca_rank_open(opened, r, SCA_OPEN_WINDOWS) : NULL;
        for (uint32_t i = 0; rank && i < f->list.count; i++) {
            const struct sca_slice *s = &f->list.of[i].slices[r];
            p->own[i] += s->own_s / f->ntaking;
            if (s->nevents)
                p->first[i] +=
                    1e-9 * (double)rank->windows[s->first].events[s->begin].gap_ns / f->ntaking;
        }
    }
}

/* Of a time that is not what the series has: one that is far off counts no more than another. */
static double apart(double seconds, double own)
{
    return own > 0 ? fmin(1, fabs(seconds - own) / own) : 0;
}

/* The series knows where markers lie; what windows show is compared with both readings. Before the
 * first iteration lies what comes before the loop. */
static bool is_late(const struct recording *f, const struct first_calls *p)
{
    const struct sca_series *series = f->out->series;
    double before = 0, after = 0;
    if (series->sections[f->section].source != SCA_SERIES_MARKER)
        return false;
    for (uint32_t i = 0; i + 1 < f->list.count; i++) {
        uint32_t point = sca_point_of(series, f->section, f->numbers[i]);
        if (f->numbers[i] < 2 || f->numbers[i + 1] != f->numbers[i] + 1 || point == UINT32_MAX ||
            series->points[point].iterations > 1)
            continue;
        double own = series->points[point].own.mean;
        before += apart(p->own[i], own);
        after += apart(p->own[i] - p->first[i] + p->first[i + 1], own);
    }
    return after < before;
}

/* A part of an iteration that was taken for one, for it is not known what came before the window:
 * the series has far more, or less. */
static void leave_out_unlike(struct recording *f, const struct first_calls *p)
{
    const struct sca_series *series = f->out->series;
    for (uint32_t i = 0; i < f->list.count; i++) {
        uint32_t point = sca_point_of(series, f->section, f->numbers[i]);
        if (!f->numbers[i] || point == UINT32_MAX || series->points[point].iterations > 1)
            continue;
        double own = series->points[point].own.mean, here = p->own[i];
        if (here > SCA_TWICE * own || own > SCA_TWICE * here)
            f->numbers[i] = 0;
    }
}

/* ---- a section ---- */

static bool take_loop(struct recording *f)
{
    bool some = false;
    f->numbers = sca_loop_numbers(f->space, f->run, f->out->series, f->section, &f->list);
    struct first_calls p = {sca_workspace_alloc(f->space, f->list.count, sizeof(double)),
                            sca_workspace_alloc(f->space, f->list.count, sizeof(double))};
    sum_ranks(f, &p);
    f->late = is_late(f, &p);
    if (!f->late)
        leave_out_unlike(f, &p);
    for (uint32_t i = 0; i < f->list.count; i++)
        some |= f->numbers[i] > 0;
    for (uint32_t i = 0; i < f->pieces.count; i++)
        take_piece(f, &f->pieces.of[i]);
    return some;
}

/* Iterations of the section between two moments, those at the ends in proportion. */
static double iterations_between(const struct sca_series *series, uint32_t section, double from,
                                 double to)
{
    const struct sca_series_section *s = &series->sections[section];
    double before = s->begin, n = 0;
    for (uint32_t i = 0; i < s->npoints; i++) {
        const struct sca_series_point *p = &series->points[s->first + i];
        double within = fmin(to, p->end) - fmax(from, before);
        if (within > 0)
            n += p->iterations * within / (p->end - before);
        before = p->end;
    }
    return n;
}

/* Whether what lies between two moments is iterations of the section alone, all of one kind. */
static bool are_alike(const struct sca_series *series, uint32_t section, double from, double to)
{
    const struct sca_series_section *s = &series->sections[section];
    const struct sca_series_point *last = &series->points[s->first + s->npoints - 1];
    double before = s->begin, least = INFINITY, most = 0;
    if (from < s->begin - SCA_NEGLIGIBLE * last->span || to > last->end + last->span)
        return false;
    for (uint32_t i = 0; i < s->npoints; i++) {
        const struct sca_series_point *p = &series->points[s->first + i];
        double within = fmin(to, p->end) - fmax(from, before);
        before = p->end;
        if (within <= SCA_NEGLIGIBLE * p->span)
            continue;
        least = fmin(least, p->own.mean / p->iterations);
        most = fmax(most, p->own.mean / p->iterations);
    }
    return most <= SCA_TWICE * least;
}

static void take_whole(struct recording *f, const struct sca_piece *piece)
{
    struct sca_workspace scratch = {.out_of_memory = f->space->out_of_memory};
    const struct sca_series *series = f->out->series;
    uint32_t first = series->ranks[0];
    const struct sca_window *w = &f->run->profile->ranks[first].windows[piece->slices[first].first];
    double begin = 1e-9 * (double)w->begin_ns, end = 1e-9 * (double)w->end_ns;
    uint32_t point = sca_point_at(series, f->section, (begin + end) / 2);
    double iterations = iterations_between(series, f->section, begin, end);
    if (point == UINT32_MAX || iterations <= 0 || !are_alike(series, f->section, begin, end) ||
        (f->point != UINT32_MAX && point < f->point))
        return;
    struct event_range *ranges = sca_workspace_alloc(&scratch, f->run->nranks, sizeof *ranges);
    struct sca_slice_replay play;
    sca_slice_replay_make(&scratch, f->run, piece->slices, &play);
    for (uint32_t r = 0; r < f->run->nranks; r++)
        ranges[r].end = play.trace.sequences[r].nevents;
    add_iteration(f, &play.replay, point, ranges, iterations);
    sca_workspace_free(&scratch);
}

static void take_windows(struct recording *f)
{
    struct sca_pieces windows;
    sca_pieces_find(f->space, f->run, false, &windows);
    f->late = false;
    for (uint32_t i = 0; i < windows.count; i++)
        take_whole(f, &windows.of[i]);
}

static void begin(struct recording *f)
{
    const struct sca_series *series = f->out->series;
    f->point = UINT32_MAX;
    f->ntaking = series->nranks;
    f->takes_part = sca_workspace_alloc(f->space, f->run->nranks, sizeof *f->takes_part);
    for (uint32_t i = 0; i < series->nranks; i++)
        f->takes_part[series->ranks[i]] = true;
    sca_pieces_find(f->space, f->run, true, &f->pieces);
    if (f->pieces.count)
        sca_recorded_contexts_open(f->space, f->ppg, f->run, f->ntaking, &f->add);
}

/* Load balance is known of all iterations, so that of the recorded ones is the point's. */
static void fill_slowest(struct sca_recorded *out)
{
    for (uint32_t i = 0; i < out->series->npoints; i++) {
        const struct sca_series_spread *own = &out->series->points[i].own;
        out->points[i].own_max =
            own->mean > 0 ? out->points[i].own * own->max / own->mean : out->points[i].own;
    }
}

void sca_recorded_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, const uint32_t *ends,
                       struct sca_recorded *out)
{
    const struct sca_series *series = run->profile->series;
    struct recording f = {.space = space, .ppg = ppg, .run = run, .ends = ends, .out = out};
    *out = (struct sca_recorded){.series = series};
    out->points = sca_workspace_alloc(space, series->npoints, sizeof *out->points);
    if (!series->nsections || !series->nranks || run->nranks > SCA_RECORDED_RANKS)
        return;
    begin(&f);
    for (f.section = 0; f.section < series->nsections && f.pieces.count; f.section++) {
        if (!sca_loop_of_series(space, ppg, run, ends, series, f.section, &f.list) ||
            !take_loop(&f))
            take_windows(&f);
        close_point(&f);
    }
    fill_slowest(out);
}
