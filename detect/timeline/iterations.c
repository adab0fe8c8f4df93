#include "timeline/iterations.h"
#include "base/compare.h"
#include "timeline/recursive_sites.h"
#include "trace/local_calls.h"
#include "trace/window_start.h"

#include <math.h>
#include <stdlib.h>

struct found { /* an iteration on one rank */
    uint64_t window;
    uint32_t nth, rank;
    const uint32_t *begun; /* in its window */
    bool partial;
    uint64_t shape; /* hash of its calls */
    struct sca_slice slice;
};

struct finding_rank {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const uint32_t *ends, *loops;
    uint32_t nloops, rank;
    struct sca_workspace *space;
    struct found *list;
    uint32_t n, capacity, cut;
    /* The iteration at hand. */
    bool open, whole;
    uint32_t opened;           /* so many, of all ranks */
    uint32_t *seen;            /* per site: the last of them that it was called in */
    const uint32_t *recursive; /* per site (recursive_sites.h) */
    uint32_t last_site;        /* of its last call */
    const struct sca_rank *at;
    bool begins;     /* the next event is the first of windows in a row, */
    uint32_t piece;  /* in which this is the first iteration of the list; */
    bool cut_surely; /* they begin or end in the middle of one */
    struct found now;
    uint64_t began_in; /* window of the iteration before, */
    uint32_t nth;      /* and how many have begun there */
    uint32_t *begun;   /* [window of the rank] */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3ULL;
}

/* The loop's context that a call is below; SCA_NONE: it is outside. */
static uint32_t loop_of(const struct finding_rank *f, uint32_t vertex)
{
    for (uint32_t i = 0; i < f->nloops; i++)
        if (vertex != SCA_NONE && vertex > f->loops[i] && vertex < f->ends[f->loops[i]])
            return f->loops[i];
    return SCA_NONE;
}

static void keep(struct finding_rank *f)
{
    if (f->n == f->capacity) {
        uint32_t space = f->capacity ? 2 * f->capacity : 64;
        f->list = sca_workspace_grow(f->space, f->list, f->n, space, sizeof *f->list);
        f->capacity = space;
    }
    f->list[f->n++] = f->now;
}

static void close_iteration(struct finding_rank *f, bool whole)
{
    if (f->open && f->whole && whole)
        keep(f);
    else
        f->cut += f->open;
    f->open = false;
}

static void open_iteration(struct finding_rank *f, uint64_t window, uint32_t w, uint32_t event)
{
    f->nth = window == f->began_in ? f->nth + 1 : 0;
    f->began_in = window;
    f->begun[w]++;
    f->opened++;
    f->open = true;
    f->whole = true;
    f->now = (struct found){.window = window,
                            .nth = f->nth,
                            .rank = f->rank,
                            .begun = &f->begun[w],
                            .shape = 0xcbf29ce484222325ULL,
                            .slice = {.first = w, .begin = event}};
}

static uint32_t vertex_of(const struct finding_rank *f, const struct sca_event *e)
{
    return e->site < f->run->profile->nsites ? f->run->site_vertex[e->site] : SCA_NONE;
}

static uint32_t vertex_at(const struct finding_rank *f, uint32_t site)
{
    return site < f->run->profile->nsites ? f->run->site_vertex[site] : SCA_NONE;
}

/* Whether a function in the loop that calls itself is what leads from one call to the other. */
static bool recurs(const struct finding_rank *f, uint32_t loop, uint32_t from, uint32_t to)
{
    const uint32_t sites[] = {from, to};
    for (int i = 0; i < 2; i++) {
        uint32_t at = sites[i] < f->run->profile->nsites ? f->recursive[sites[i]] : SCA_NONE;
        if (at != SCA_NONE && at > loop && at < f->ends[loop])
            return true;
    }
    return false;
}

/* Of one place: copies of a call, as in a loop that the compiler unrolled, are not the same again.
 */
static bool is_copy(const struct finding_rank *f, uint32_t from, uint32_t to)
{
    return from != to && f->seen[to] != f->opened;
}

/* Whether the program went round the loop, or came into it anew, between calls from two sites below
 * it. What is around the loop has lower numbers than the loop, what is in it higher ones. */
static bool goes_round(const struct finding_rank *f, uint32_t loop, uint32_t from_site,
                       uint32_t to_site)
{
    uint32_t from = vertex_at(f, from_site), to = vertex_at(f, to_site);
    if (loop_of(f, from) != loop)
        return true;
    if (from < to || sca_ppg_vertex_between(f->ppg, from, to) > loop)
        return false;
    return !recurs(f, loop, from_site, to_site) && !(from == to && is_copy(f, from_site, to_site));
}

/* Whether the rank came from another call of the same iteration to this one, or, `behind` it, to
 * another one. */
enum cut { NEVER, PERHAPS, ALWAYS };

static enum cut cut_at(const struct finding_rank *f, uint32_t site, bool behind)
{
    uint32_t within = 0, round = 0;
    for (uint32_t i = 0; i < f->at->nintervals; i++) {
        const struct sca_part_interval *v = &f->at->intervals[i];
        uint32_t loop = loop_of(f, vertex_at(f, v->site));
        if ((behind ? v->previous : v->site) != site || !v->count)
            continue;
        bool stays = loop != SCA_NONE && !goes_round(f, loop, v->previous, v->site);
        within += stays;
        round += !stays;
    }
    return within && !round ? ALWAYS : within || !round ? PERHAPS : NEVER;
}

/* An event takes part in the iteration at hand, or begins the next. */
static void take(struct finding_rank *f, const struct sca_window *w, uint32_t number,
                 uint32_t event)
{
    const struct sca_event *e = &w->events[event];
    uint32_t vertex = vertex_of(f, e), loop = loop_of(f, vertex);
    bool begins = f->begins;
    f->begins = false;
    if (f->open && (loop == SCA_NONE || goes_round(f, loop, f->last_site, e->site)))
        close_iteration(f, true);
    if (loop == SCA_NONE)
        return;
    if (!f->open) {
        open_iteration(f, w->iteration, number, event);
        f->cut_surely |= begins && cut_at(f, e->site, false) == ALWAYS;
        f->now.partial = begins && cut_at(f, e->site, false);
    }
    f->now.slice.nevents++;
    f->now.slice.own_s += 1e-9 * (double)e->gap_ns;
    f->now.shape = mix(f->now.shape, e->site);
    f->last_site = e->site;
    if (e->site < f->run->profile->nsites)
        f->seen[e->site] = f->opened;
}

static bool follows(const struct sca_window *before, const struct sca_window *w)
{
    return before && w->begin_ns <= before->end_ns + SCA_CLOSE_NS &&
           w->begin_ns + SCA_CLOSE_NS >= before->end_ns;
}

/* Whether several iterations of the main loop went by in one of this loop, and the window begins or
 * ends somewhere in it. */
static bool lies_within(const struct finding_rank *f, const struct sca_window *w)
{
    uint32_t last = SCA_NONE;
    for (uint32_t e = 0; e < w->nevents; e++) {
        uint32_t site = w->events[e].site, loop = loop_of(f, vertex_of(f, &w->events[e]));
        if (loop == SCA_NONE || (last != SCA_NONE && goes_round(f, loop, last, site)))
            return false;
        last = site;
    }
    return w->iterations > 1 && w->nevents &&
           (cut_at(f, w->events[0].site, false) || cut_at(f, w->events[w->nevents - 1].site, true));
}

/* Windows in a row end, the last of which is `w`. One that has as many iterations of the loop as of
 * its own begins and ends with one. */
static void end_piece(struct finding_rank *f, const struct sca_window *w, bool whole)
{
    enum cut end = f->open ? cut_at(f, f->last_site, true) : NEVER;
    f->now.partial |= end != NEVER;
    f->cut_surely |= end == ALWAYS;
    close_iteration(f, whole);
    bool cut_by_loop = w && f->n - f->piece == w->iterations && !f->cut_surely;
    for (uint32_t i = f->piece; cut_by_loop && i < f->n; i++)
        f->list[i].partial = false;
    f->piece = f->n;
    f->begins = true;
    f->cut_surely = false;
}

static void find_in_rank(struct finding_rank *f, const struct sca_rank *rank)
{
    const struct sca_window *before = NULL;
    bool within = false;
    f->begun = sca_workspace_alloc(f->space, rank->nwindows, sizeof *f->begun);
    f->at = rank;
    for (uint32_t i = 0; i < rank->nwindows; i++) {
        const struct sca_window *w = &rank->windows[i];
        bool joined = follows(before, w);
        if (!joined)
            end_piece(f, before, !within);
        within = lies_within(f, w);
        for (uint32_t e = 0; e < w->nevents; e++)
            take(f, w, i, e);
        if (within && !joined)
            f->whole = false;
        before = w;
    }
    end_piece(f, before, !within);
}

/* ---- over the ranks ---- */

static int by_iteration(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    SCA_ORDER(x->window, y->window);
    SCA_ORDER(x->nth, y->nth);
    SCA_ORDER(x->rank, y->rank);
    return 0;
}

static void add_iteration(struct sca_workspace *space, const struct sca_ppg_run *run,
                          const struct found *list, uint32_t n, struct sca_loop_iterations *out,
                          uint64_t *shapes)
{
    struct sca_loop_iteration *to = &out->of[out->count];
    *to = (struct sca_loop_iteration){
        .window = list[0].window, .nth = list[0].nth, .begun = *list[0].begun};
    to->slices = sca_workspace_alloc(space, run->nranks, sizeof *to->slices);
    shapes[out->count] = 0xcbf29ce484222325ULL;
    for (uint32_t i = 0; i < n; i++) {
        to->slices[list[i].rank] = list[i].slice;
        to->length_s = fmax(to->length_s, list[i].slice.own_s);
        to->partial |= list[i].partial;
        shapes[out->count] = mix(mix(shapes[out->count], list[i].rank), list[i].shape);
    }
    out->count++;
}

static uint32_t kind_of(struct sca_loop_iterations *out, const uint64_t *shapes, uint32_t iteration)
{
    for (uint32_t i = 0; i < iteration; i++)
        if (shapes[i] == shapes[iteration])
            return out->of[i].kind;
    return out->nkinds++;
}

static int by_count(const void *a, const void *b)
{
    const struct sca_loop_kind *x = a, *y = b;
    SCA_ORDER(y->count, x->count);
    SCA_ORDER(x->representative, y->representative);
    return 0;
}

static int by_length(const void *a, const void *b, void *iterations)
{
    const struct sca_loop_iteration *of = iterations;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    SCA_ORDER(of[x].length_s, of[y].length_s);
    SCA_ORDER(x, y);
    return 0;
}

/* The most frequent kind first; each is shown by its iteration of the middle length. */
static void sort_kinds(struct sca_workspace *space, struct sca_loop_iterations *out)
{
    uint32_t *order = sca_workspace_alloc(space, out->count, sizeof *order);
    out->kinds = sca_workspace_alloc(space, out->nkinds, sizeof *out->kinds);
    for (uint32_t k = 0; k < out->nkinds; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < out->count; i++)
            if (out->of[i].kind == k)
                order[n++] = i;
        qsort_r(order, n, sizeof *order, by_length, out->of);
        out->kinds[k] = (struct sca_loop_kind){n, order[n / 2]};
    }
    if (out->nkinds)
        qsort(out->kinds, out->nkinds, sizeof *out->kinds, by_count);
}

/* What a window may have cut is known to be whole where a whole one has the same calls; else it is
 * left out, if any is whole. */
static void leave_out_cut(struct sca_loop_iterations *out, uint64_t *shapes)
{
    uint32_t whole = 0, n = 0;
    for (uint32_t i = 0; i < out->count; i++)
        whole += !out->of[i].partial;
    for (uint32_t i = 0; whole && i < out->count; i++) {
        bool known = !out->of[i].partial;
        for (uint32_t k = 0; !known && k < out->count; k++)
            known = shapes[k] == shapes[i] && (k < n || k > i) && !out->of[k].partial;
        out->cut += !known;
        if (!known)
            continue;
        shapes[n] = shapes[i];
        out->of[n] = out->of[i];
        out->of[n++].partial = false;
    }
    out->count = whole ? n : out->count;
}

static void join_ranks(struct finding_rank *f, bool leave_out, struct sca_loop_iterations *out)
{
    uint64_t *shapes = sca_workspace_alloc(f->space, f->n, sizeof *shapes);
    out->of = sca_workspace_alloc(f->space, f->n, sizeof *out->of);
    if (f->n)
        qsort(f->list, f->n, sizeof *f->list, by_iteration);
    for (uint32_t i = 0, end; i < f->n; i = end) {
        for (end = i; end < f->n && f->list[end].window == f->list[i].window &&
                      f->list[end].nth == f->list[i].nth;)
            end++;
        out->uneven |= end - i < f->run->nranks;
        add_iteration(f->space, f->run, &f->list[i], end - i, out, shapes);
    }
    if (leave_out)
        leave_out_cut(out, shapes);
    for (uint32_t i = 0; i < out->count; i++)
        out->of[i].kind = kind_of(out, shapes, i);
    sort_kinds(f->space, out);
}

void sca_iterations_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                         const struct sca_ppg_run *run, const uint32_t *ends, const uint32_t *loops,
                         uint32_t nloops, struct sca_loop_iterations *out)
{
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    struct finding_rank f = {
        .ppg = ppg, .run = run, .ends = ends, .loops = loops, .nloops = nloops, .space = space};
    f.recursive = sca_recursive_sites(space, run);
    f.seen = sca_workspace_alloc(space, run->profile->nsites, sizeof *f.seen);
    *out = (struct sca_loop_iterations){0};
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank =
            sca_rank_open(opened, r, SCA_OPEN_WINDOWS | SCA_OPEN_INTERVALS);
        f.rank = r;
        f.began_in = UINT64_MAX;
        f.piece = f.n;
        out->windows = rank->nwindows > out->windows ? rank->nwindows : out->windows;
        if (rank->present)
            find_in_rank(&f, rank);
    }
    out->cut = f.cut;
    join_ranks(&f, true, out);
}

/* ---- by a call ---- */

/* An event takes part in the iteration at hand; the call at the site ends it. */
static void take_until(struct finding_rank *f, const struct sca_window *w, uint32_t number,
                       uint32_t event, uint32_t site)
{
    const struct sca_event *e = &w->events[event];
    if (!f->open) {
        bool partial = f->now.partial;
        open_iteration(f, w->iteration, number, event);
        f->now.partial = partial;
    }
    f->now.slice.nevents++;
    f->now.slice.own_s += 1e-9 * (double)e->gap_ns;
    if (e->site == site) {
        keep(f);
        f->open = f->now.partial = false;
    }
}

static void close_partial(struct finding_rank *f)
{
    f->now.partial = true;
    if (f->open)
        keep(f);
    f->open = false;
}

static void find_by_call(struct finding_rank *f, struct sca_detours *detours, uint32_t site)
{
    const struct sca_rank *rank = sca_local_calls_of_rank(detours, f->rank);
    const struct sca_window *before = NULL;
    f->begun = sca_workspace_alloc(f->space, rank->nwindows, sizeof *f->begun);
    for (uint32_t i = 0; i < rank->nwindows; i++) {
        const struct sca_window *w = &rank->windows[i];
        if (!follows(before, w)) {
            close_partial(f);
            f->now.partial = sca_window_start_call(detours, w) != site;
        }
        for (uint32_t e = 0; e < w->nevents; e++)
            take_until(f, w, i, e, site);
        before = w;
    }
    close_partial(f);
}

void sca_iterations_by_call(struct sca_workspace *space, const struct sca_ppg_run *run,
                            uint32_t site, struct sca_loop_iterations *out)
{
    struct sca_detours detours;
    struct finding_rank f = {.run = run, .space = space};
    *out = (struct sca_loop_iterations){0};
    sca_local_calls_open(space, run->profile, &detours);
    for (f.rank = 0; f.rank < run->nranks; f.rank++) {
        f.began_in = UINT64_MAX;
        f.now = (struct found){.partial = true};
        if (run->profile->ranks[f.rank].present)
            find_by_call(&f, &detours, site);
    }
    sca_local_calls_close(&detours);
    join_ranks(&f, false, out);
}
