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
    struct sca_loop_round round;
    uint64_t *numbers;
    bool late;   /* what may be of either iteration belongs to the one before */
    bool behind; /* iterations compute behind their last call: the next one tells how long */
};

/* What belongs to the iteration before, where the loop goes round; else to the next. */
static struct sca_recorded_sides sides_of(const struct recording *f, bool before)
{
    return (struct sca_recorded_sides){{[SCA_LOOP_BEFORE] = before,
                                        [SCA_LOOP_AFTER] = !before,
                                        [SCA_LOOP_EITHER] = before == f->late}};
}

/* ---- an iteration ---- */

static void close_point(struct recording *f)
{
    if (f->point != UINT32_MAX) {
        struct sca_recorded_point *to = &f->out->points[f->point];
        to->ncontexts = sca_recorded_contexts_take(f->space, &f->add, &to->contexts);
    }
    f->point = UINT32_MAX;
}

static struct sca_recorded_interval interval_before(const struct recording *f,
                                                    const struct sca_replay *replay, uint32_t rank,
                                                    uint32_t i, bool round)
{
    return (struct sca_recorded_interval){
        .rank = rank,
        .call = sca_trace_event_of(&replay->trace->sequences[rank], i),
        .seconds = replay->interval[sca_replay_at(replay, rank, i)],
        .round = round ? &f->round : NULL};
}

static void add_call(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                     uint32_t i)
{
    struct sca_trace_event call = sca_trace_event_of(&replay->trace->sequences[rank], i);
    double wait = sca_replay_waited(replay, sca_replay_at(replay, rank, i));
    sca_recorded_contexts_call(&f->add, call.site, wait);
}

/* When the rank is done with the iteration before event i, which begins one. */
static double done_before(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                          uint32_t i)
{
    double exit = i ? sca_replay_exit(replay, sca_replay_at(replay, rank, i - 1)) : 0;
    if (i == replay->trace->sequences[rank].nevents)
        return exit;
    const struct sca_recorded_interval next = interval_before(f, replay, rank, i, true);
    const struct sca_recorded_sides before = sides_of(f, true);
    return exit + sca_recorded_contexts_seconds(&f->add, &next, &before);
}

/* What leads to the next iteration's first call is in part this one's. */
static double add_rank(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                       struct event_range r)
{
    const struct sca_recorded_sides before = sides_of(f, true), here = sides_of(f, false);
    double own = 0;
    for (uint32_t i = r.begin; i < r.end; i++) {
        const struct sca_recorded_interval v = interval_before(f, replay, rank, i, i == r.begin);
        add_call(f, replay, rank, i);
        own += sca_recorded_contexts_compute(&f->add, &v, &here);
    }
    if (r.end == replay->trace->sequences[rank].nevents)
        return own;
    const struct sca_recorded_interval next = interval_before(f, replay, rank, r.end, true);
    return own + sca_recorded_contexts_compute(&f->add, &next, &before);
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

/* The last one of a piece has no end where that lies behind its last call. */
static bool has_end(const struct recording *f, const struct sca_piece *piece,
                    uint32_t *const *offsets, const struct event_range *ranges)
{
    for (uint32_t r = 0; f->behind && r < f->run->nranks; r++)
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

/* ---- where the loop goes round ---- */

struct first_calls { /* of iterations, sums over ranks; what is computed before the first call: */
    double *own;     /* together with all else */
    double *before;  /* of the iteration before */
    double *either;  /* of that or of this one */
};

static void take_first(struct recording *f, struct sca_detours *detours,
                       const struct sca_rank *opened, uint32_t rank, uint32_t i,
                       const struct first_calls *p)
{
    static const struct sca_recorded_sides before = {{[SCA_LOOP_BEFORE] = true}},
                                           either = {{[SCA_LOOP_EITHER] = true}};
    const struct sca_slice *s = &f->list.of[i].slices[rank];
    p->own[i] += s->own_s / f->ntaking;
    if (!s->nevents)
        return;
    const struct sca_event *first = &opened->windows[s->first].events[s->begin];
    const struct sca_recorded_interval v = {
        .rank = rank,
        .call = {first->site, sca_slice_call_before(detours, opened, s), 0},
        .seconds = 1e-9 * (double)first->gap_ns,
        .round = &f->round};
    p->before[i] += sca_recorded_contexts_seconds(&f->add, &v, &before) / f->ntaking;
    p->either[i] += sca_recorded_contexts_seconds(&f->add, &v, &either) / f->ntaking;
}

static struct first_calls first_calls_of(struct recording *f)
{
    struct sca_detours detours;
    struct first_calls p = {sca_workspace_alloc(f->space, f->list.count, sizeof(double)),
                            sca_workspace_alloc(f->space, f->list.count, sizeof(double)),
                            sca_workspace_alloc(f->space, f->list.count, sizeof(double))};
    sca_local_calls_open(f->space, f->run->profile, &detours);
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        const struct sca_rank *rank =
            f->takes_part[r] ? sca_local_calls_of_rank(&detours, r) : NULL;
        for (uint32_t i = 0; rank && i < f->list.count; i++)
            take_first(f, &detours, rank, r, i, &p);
    }
    sca_local_calls_close(&detours);
    return p;
}

/* What iteration i has, where the next one is known. */
static double own_of(const struct first_calls *p, uint32_t i, bool late)
{
    return p->own[i] - p->before[i] + p->before[i + 1] +
           (late ? p->either[i + 1] - p->either[i] : 0);
}

/* Of a time that is not what the series has: one that is far off counts no more than another. */
static double apart(double seconds, double own)
{
    return own > 0 ? fmin(1, fabs(seconds - own) / own) : 0;
}

/* The series knows where markers lie; what windows show is compared with both readings of what may
 * be of either iteration. Before the first one lies what comes before the loop. */
static bool is_late(const struct recording *f, const struct first_calls *p)
{
    const struct sca_series *series = f->out->series;
    double before = 0, after = 0;
    for (uint32_t i = 0; i + 1 < f->list.count; i++) {
        uint32_t point = sca_point_of(series, f->section, f->numbers[i]);
        if (f->numbers[i] < 2 || f->numbers[i + 1] != f->numbers[i] + 1 || point == UINT32_MAX ||
            series->points[point].iterations > 1)
            continue;
        double own = series->points[point].own.mean;
        before += apart(own_of(p, i, false), own);
        after += apart(own_of(p, i, true), own);
    }
    return after < before;
}

/* Of the first one it is what comes before the loop. */
static bool some_behind(const struct recording *f, const struct first_calls *p)
{
    for (uint32_t i = 0; i < f->list.count; i++)
        if (f->numbers[i] > 1 &&
            p->before[i] + (f->late ? p->either[i] : 0) > SCA_NEGLIGIBLE * p->own[i])
            return true;
    return false;
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
        double own = series->points[point].own.mean, here = p->own[i] - p->before[i];
        if (here > SCA_TWICE * own || own > SCA_TWICE * here)
            f->numbers[i] = 0;
    }
}

/* ---- a section ---- */

static bool take_loop(struct recording *f)
{
    bool some = false;
    f->numbers = sca_loop_numbers(f->space, f->run, f->out->series, f->section, &f->list);
    const struct first_calls p = first_calls_of(f);
    f->late = is_late(f, &p);
    f->behind = some_behind(f, &p);
    if (!f->behind)
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
    f->round = (struct sca_loop_round){.ends = f->ends};
    f->late = f->behind = false;
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
        if (!sca_loop_of_series(space, ppg, run, ends, series, f.section, &f.list, &f.round) ||
            !take_loop(&f))
            take_windows(&f);
        close_point(&f);
    }
    fill_slowest(out);
}
