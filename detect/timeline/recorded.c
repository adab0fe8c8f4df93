#include "timeline/recorded.h"
#include "base/degrees.h"
#include "timeline/long_contexts.h"
#include "timeline/loop_of_series.h"
#include "timeline/pieces.h"
#include "timeline/slice_replay.h"

#include <math.h>
#include <stdlib.h>

/* Figures of the vertices that something was added to. */
struct adding {
    struct sca_recorded_context *sum; /* [vertex] */
    double *here, *most;              /* [vertex] computation of the rank at hand; of any rank */
    uint32_t *touched, ntouched;      /* vertices with anything in `sum` */
    uint32_t *seen, nseen;            /* in `here` */
    bool *is_touched;
};

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
    struct adding add;
    struct sca_long_contexts longer;
    /* Of the section at hand. */
    uint32_t section, point; /* point: the sums in `add` are of; UINT32_MAX: none */
    struct sca_loop_iterations list;
    uint64_t *numbers;
    bool late; /* the computation before its first call belongs to the iteration before */
};

/* ---- contexts ---- */

static struct sca_recorded_context *at_vertex(struct adding *a, uint32_t vertex)
{
    if (!a->is_touched[vertex]) {
        a->is_touched[vertex] = true;
        a->touched[a->ntouched++] = vertex;
        a->sum[vertex] = (struct sca_recorded_context){.vertex = vertex};
    }
    return &a->sum[vertex];
}

static void add_here(struct adding *a, uint32_t vertex, double seconds)
{
    if (a->here[vertex] <= 0 && seconds > 0)
        a->seen[a->nseen++] = vertex;
    a->here[vertex] += seconds;
}

/* The mean rank's, and the most of any, of one iteration. */
static void close_rank(struct adding *a, double nranks)
{
    for (uint32_t i = 0; i < a->nseen; i++) {
        uint32_t v = a->seen[i];
        at_vertex(a, v)->own += a->here[v] / nranks;
        a->most[v] = fmax(a->most[v], a->here[v]);
        a->here[v] = 0;
    }
    a->nseen = 0;
}

static void close_ranks(struct adding *a)
{
    for (uint32_t i = 0; i < a->ntouched; i++) {
        a->sum[a->touched[i]].own_max += a->most[a->touched[i]];
        a->most[a->touched[i]] = 0;
    }
}

static uint32_t vertex_of(const struct recording *f, uint32_t site)
{
    uint32_t vertex = site < f->run->profile->nsites ? f->run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

struct dividing { /* an instance of an interval on a rank */
    const struct sca_ppg_share *share, *end;
    const struct sca_long_interval *longer; /* NULL: its contexts are in all instances */
};

static bool is_longer(const struct recording *f, const struct dividing *d, uint32_t vertex)
{
    return d->longer && sca_long_interval_has(&f->longer, d->longer, vertex);
}

/* Over the contexts that only long instances have, or over the others. False: there are none. */
static bool divide_over(struct recording *f, const struct dividing *d, bool longer, double seconds)
{
    double total = 0;
    for (const struct sca_ppg_share *s = d->share; s < d->end; s++)
        total += is_longer(f, d, s->vertex) == longer ? s->seconds : 0;
    for (const struct sca_ppg_share *s = d->share; s < d->end && total > 0; s++)
        if (is_longer(f, d, s->vertex) == longer)
            add_here(&f->add, s->vertex, seconds * s->seconds / total);
    return total > 0;
}

/* An interval consists of the vertices that it did in the run, in equal parts, but for those that
 * only long instances have. */
static void divide(struct recording *f, uint32_t rank, struct sca_trace_event call, double seconds)
{
    uint32_t interval = sca_intervals_number(&f->run->intervals, call.previous, call.site);
    struct dividing d = {f->run->shares, f->run->shares, NULL};
    if (interval != SCA_NONE) {
        size_t at = (size_t)rank * f->run->intervals.n + interval;
        d.share = f->run->shares + f->run->first_share[at];
        d.end = f->run->shares + f->run->first_share[at + 1];
        d.longer = sca_long_interval_of(&f->longer, interval);
    }
    double beyond = d.longer ? sca_long_interval_part(d.longer, rank, seconds) : 0;
    if (beyond > 0 && divide_over(f, &d, true, beyond))
        seconds -= beyond;
    if (divide_over(f, &d, false, seconds))
        return;
    add_here(&f->add,
             sca_ppg_vertex_between(f->ppg, vertex_of(f, call.previous), vertex_of(f, call.site)),
             seconds);
}

static int by_vertex(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void close_point(struct recording *f)
{
    struct adding *a = &f->add;
    if (f->point == UINT32_MAX)
        return;
    struct sca_recorded_point *p = &f->out->points[f->point];
    qsort(a->touched, a->ntouched, sizeof *a->touched, by_vertex);
    p->contexts = sca_workspace_alloc(f->space, a->ntouched, sizeof *p->contexts);
    for (uint32_t i = 0; i < a->ntouched; i++) {
        p->contexts[p->ncontexts++] = a->sum[a->touched[i]];
        a->is_touched[a->touched[i]] = false;
    }
    a->ntouched = 0;
    f->point = UINT32_MAX;
}

/* ---- an iteration ---- */

static void add_call(struct recording *f, const struct sca_replay *replay, uint32_t rank,
                     uint32_t i, bool computes)
{
    struct sca_trace_event call = sca_trace_event_of(&replay->trace->sequences[rank], i);
    uint32_t event = sca_replay_at(replay, rank, i);
    struct sca_recorded_context *c = at_vertex(&f->add, vertex_of(f, call.site));
    c->calls += 1.0 / f->ntaking;
    c->wait += sca_replay_waited(replay, event) / f->ntaking;
    if (computes)
        divide(f, rank, call, replay->interval[event]);
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
        divide(f, rank, call, seconds);
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
        close_rank(&f->add, f->ntaking);
        p->own += own / f->ntaking;
        p->span += (done_before(f, replay, r, ranges[r].end) -
                    done_before(f, replay, r, ranges[r].begin)) /
                   f->ntaking;
    }
    close_ranks(&f->add);
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

/* The series knows where markers lie; what windows show is compared with both readings. */
static bool is_late(const struct recording *f, const struct first_calls *p)
{
    const struct sca_series *series = f->out->series;
    double before = 0, after = 0;
    if (series->sections[f->section].source != SCA_SERIES_MARKER)
        return false;
    for (uint32_t i = 0; i + 1 < f->list.count; i++) {
        uint32_t point = sca_point_of(series, f->section, f->numbers[i]);
        if (!f->numbers[i] || f->numbers[i + 1] != f->numbers[i] + 1 || point == UINT32_MAX ||
            series->points[point].iterations > 1)
            continue;
        double own = series->points[point].own.mean;
        before += fabs(own - p->own[i]);
        after += fabs(own - (p->own[i] - p->first[i] + p->first[i + 1]));
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

/* Whether iterations between two moments are of one kind. */
static bool are_alike(const struct sca_series *series, uint32_t section, double from, double to)
{
    const struct sca_series_section *s = &series->sections[section];
    double before = s->begin, least = INFINITY, most = 0;
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
    uint32_t nv = f->ppg->nvertices;
    struct adding *a = &f->add;
    f->point = UINT32_MAX;
    f->ntaking = series->nranks;
    f->takes_part = sca_workspace_alloc(f->space, f->run->nranks, sizeof *f->takes_part);
    for (uint32_t i = 0; i < series->nranks; i++)
        f->takes_part[series->ranks[i]] = true;
    a->sum = sca_workspace_alloc(f->space, nv, sizeof *a->sum);
    a->here = sca_workspace_alloc(f->space, nv, sizeof *a->here);
    a->most = sca_workspace_alloc(f->space, nv, sizeof *a->most);
    a->touched = sca_workspace_alloc(f->space, nv, sizeof *a->touched);
    a->seen = sca_workspace_alloc(f->space, nv, sizeof *a->seen);
    a->is_touched = sca_workspace_alloc(f->space, nv, sizeof *a->is_touched);
    sca_pieces_find(f->space, f->run, true, &f->pieces);
    if (f->pieces.count)
        sca_long_contexts_find(f->space, f->run, &f->longer);
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
    if (!series->nsections || !series->nranks)
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
