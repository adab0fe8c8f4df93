#include "trace/window_trace.h"
#include "base/degrees.h"
#include "trace/calibrate.h"
#include "trace/instances.h"
#include "trace/local_calls.h"
#include "trace/probed.h"
#include "trace/rest_walk.h"
#include "trace/segment.h"
#include "trace/window_cut.h"
#include "trace/window_fit.h"
#include "trace/window_rest.h"
#include "trace/window_sequence.h"
#include "trace/window_start.h"
#include "trace/window_total.h"
#include "trace/trace_synthesis.h"

#include <math.h>

static const struct sca_window *find_window(const struct sca_rank *rank, uint64_t iteration)
{
    for (uint32_t w = 0; w < rank->nwindows; w++)
        if (rank->windows[w].iteration == iteration)
            return &rank->windows[w];
    return NULL;
}

static bool all_kept(const struct sca_profile *profile, const struct sca_window *window)
{
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_window *other = find_window(&profile->ranks[r], window->iteration);
        if (!other || other->iterations != window->iterations)
            return false;
    }
    return true;
}

static uint32_t count_steps(struct sca_detours *detours, const struct sca_window *window,
                            uint32_t previous)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < window->nevents; e++) {
        n += sca_local_calls_detour(detours, previous, window->events[e].site)->nhops;
        previous = window->events[e].site;
    }
    return n;
}

static void play_event(const struct sca_profile *profile, const struct sca_rank *rank,
                       const struct sca_local_calls_detour *detour, const struct sca_window *window,
                       const struct sca_event *event, struct sca_event_sequence *sequence,
                       uint32_t *sites)
{
    for (uint32_t i = 0; i < detour->nhops; i++) {
        sequence->interval[sequence->nevents] = (double)event->gap_ns * 1e-9 * detour->hops[i].part;
        sites[++sequence->nevents] = detour->hops[i].site;
    }
    for (uint32_t i = 0; i < event->nops; i++)
        sequence->ops[sequence->nops++] = sca_replay_trace_op(
            profile, rank, &window->ops[event->first_op + i], sequence->nevents - 1);
}

static uint32_t count_ops(const struct sca_window *window)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < window->nevents; e++)
        n += window->events[e].nops;
    return n;
}

static void play_window(struct sca_workspace *space, struct sca_detours *detours,
                        const struct sca_window *window, struct sca_event_sequence *sequences,
                        uint32_t rank)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_event_sequence *sequence = &sequences[rank];
    uint32_t previous = sca_window_start_call(detours, window);
    uint32_t most = count_steps(detours, window, previous);
    uint32_t *sites = sca_workspace_alloc(&scratch, most + (size_t)1, sizeof *sites);
    *sequence = (struct sca_event_sequence){0};
    sequence->ops = sca_workspace_alloc(detours->space, count_ops(window), sizeof *sequence->ops);
    sequence->interval = sca_workspace_alloc(space, most, sizeof *sequence->interval);
    sites[0] = previous;
    for (uint32_t e = 0; e < window->nevents; e++) {
        play_event(detours->profile, &detours->profile->ranks[rank],
                   sca_local_calls_detour(detours, previous, window->events[e].site), window,
                   &window->events[e], sequence, sites);
        previous = window->events[e].site;
    }
    sequence->sites = sca_replay_trace_sites(space, sequences, rank, sites, sequence->nevents);
    sca_probed_receives(detours->profile, sequence);
    sca_workspace_free(&scratch);
}

struct window_choice { /* windows that all ranks kept, as rank 0 has them */
    uint32_t count;
    const struct sca_window **windows;
    double *weight;
    double others; /* seconds of computation of threads beside the first */
    bool together; /* all ranks begin them at once */
    bool walked;   /* and what no window leads to is a trace beside them */
    struct sca_window_rest rest;
};

/* A window stands for the windows of its class that happened, over those that all ranks kept. */
static void weigh(struct window_choice *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < c->count; k++)
            same += c->windows[k]->duration_class == c->windows[i]->duration_class;
        c->weight[i] = (double)c->windows[i]->class_total / same;
    }
}

static void choose_windows(struct sca_workspace *space, const struct sca_profile *profile,
                           struct window_choice *c)
{
    const struct sca_rank *first = &profile->ranks[0];
    c->windows = sca_workspace_alloc(space, first->nwindows, sizeof(void *));
    c->weight = sca_workspace_alloc(space, first->nwindows, sizeof *c->weight);
    for (uint32_t w = 0; w < first->nwindows; w++)
        if (sca_window_stands(&first->windows[w]) && all_kept(profile, &first->windows[w]))
            c->windows[c->count++] = &first->windows[w];
    weigh(c);
}

/* Whether the window's last call on this rank is one that all ranks of the run leave together. */
static bool ends_together(const struct sca_profile *profile, const struct sca_window *window)
{
    if (!window->nevents)
        return false;
    const struct sca_event *last = &window->events[window->nevents - 1];
    for (uint32_t i = 0; i < last->nops; i++) {
        const struct sca_op *op = &window->ops[last->first_op + i];
        if (op->kind == SCA_OP_COLLECTIVE && op->shape == SCA_ALL_TO_ALL &&
            op->comm < profile->ncomms && profile->comms[op->comm].size == profile->nranks)
            return true;
    }
    return false;
}

/* Windows are replayed as if all ranks began them at once. Where they do not, as in a pipeline,
 * each window would fill it anew, and waits that were carried in would be missing. As one ends, so
 * the next begins; how the last one ends, which may be where the run does, says nothing if there
 * are others. */
static bool begin_together(const struct sca_profile *profile, const struct window_choice *c,
                           const struct sca_rank *rank)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < c->count; i++)
        last = c->windows[i]->iteration > last ? c->windows[i]->iteration : last;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t iteration = c->windows[i]->iteration;
        bool tells = c->count > 1 ? iteration < last : iteration > 0;
        if (tells && !ends_together(profile, find_window(rank, iteration)))
            return false;
    }
    return true;
}

static void sum_excess(struct sca_workspace *space, struct sca_traces *traces, uint32_t nranks,
                       const struct sca_intervals *intervals)
{
    size_t cells = (size_t)nranks * intervals->n;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *all = sca_workspace_alloc(&scratch, cells, sizeof *all);
    double *more = sca_workspace_alloc(&scratch, cells, sizeof *more);
    float *excess = sca_workspace_alloc(space, cells, sizeof *excess);
    for (uint32_t i = 0; i < traces->count; i++)
        sca_replay_trace_add_excess(&traces->traces[i], intervals, all, more);
    sca_team_sum_sparse(traces->team, all, cells);
    sca_team_sum_sparse(traces->team, more, cells);
    for (size_t cell = 0; cell < cells; cell++)
        if (more[cell] > 0)
            excess[cell] = (float)(more[cell] / all[cell]);
    for (uint32_t i = 0; i < traces->count; i++)
        traces->traces[i].excess = excess;
    sca_workspace_free(&scratch);
}

static void count_window(struct sca_detours *detours, const struct sca_window *window,
                         uint32_t number, struct sca_window_rest *rest, double *seconds)
{
    uint32_t previous = sca_window_start_call(detours, window);
    for (uint32_t e = 0; e < window->nevents; e++) {
        const struct sca_event *event = &window->events[e];
        const struct sca_local_calls_detour *detour =
            sca_local_calls_detour(detours, previous, event->site);
        for (uint32_t i = 0; i < detour->nhops; i++) {
            seconds[detour->hops[i].site] += (double)event->gap_ns * 1e-9 * detour->hops[i].part;
            sca_window_rest_show(rest, number, &detour->hops[i]);
        }
        previous = event->site;
    }
    sca_window_rest_end_window(rest);
}

/* Windows are of the first thread. Returns what others compute between calls of their own. */
static double count_rank(const struct sca_profile *profile, const struct sca_rank *rank,
                         double *seconds)
{
    double others = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *x = &rank->intervals[i];
        if (profile->sites[x->site].thread)
            others += (double)x->cpu_ns * 1e-9;
        else
            seconds[x->site] += sca_trace_synthesis_seconds(x);
    }
    return others;
}

/* Seconds of computation. */
struct cover {
    double led_to, shown; /* before calls that some window leads to, and what of it they show */
    double beside;        /* before the others */
};

/* Site by site: a step with many collectives is longer than a window, and what lies in the parts
 * of it that no window shows would have no price. */
static struct cover cover_of(const double *shown, const double *exact, uint32_t nsites,
                             const struct sca_window_rest *rest)
{
    struct cover c = {.led_to = sca_window_rest_seconds(rest, true),
                      .beside = sca_window_rest_seconds(rest, false)};
    for (uint32_t s = 0; s < nsites; s++) {
        *(rest->sites[s] ? &c.led_to : &c.beside) += exact[s];
        c.shown += fmin(shown[s], exact[s]);
    }
    return c;
}

/* Whether windows stand for the run; `walked`: beside a walk. `others`: what they cannot show. */
static bool is_enough(const struct cover *c, bool walked, double others)
{
    double all = c->led_to + c->beside;
    return others <= SCA_RELEVANT * all && c->shown >= SCA_MOST * (walked ? c->led_to : all) &&
           c->led_to >= SCA_HALF * all;
}

/* What the rank computes that its windows do not show is no matter of how often they happened. */
static void take_rest(struct sca_window_rest *rest, const struct sca_rank *of, uint32_t rank,
                      double *seconds)
{
    uint32_t before = rest->nitems;
    sca_window_rest_end_rank(rest, of, rank);
    for (uint32_t i = before; i < rest->nitems; i++)
        seconds[rest->items[i].site] -= rest->items[i].seconds;
}

/* What windows must add up to: the computation before each call site, of all ranks together. By
 * rank, one whose long instances no window shows would push down the windows that show others'.
 * seconds: the sums of each window, one behind the other. */
static void count_all(struct sca_detours *detours, struct window_choice *c, double *seconds,
                      double *exact)
{
    const struct sca_profile *profile = detours->profile;
    c->together = true;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = sca_local_calls_of_rank(detours, r);
        c->together = c->together && begin_together(profile, c, rank);
        for (uint32_t i = 0; i < c->count; i++)
            count_window(detours, find_window(rank, c->windows[i]->iteration), i, &c->rest,
                         seconds + (size_t)profile->nsites * i);
        c->others += count_rank(profile, rank, exact);
        take_rest(&c->rest, rank, r, exact);
    }
}

static bool stand_for_run(struct sca_detours *detours, const struct sca_ppg_run *run,
                          struct window_choice *c)
{
    uint32_t n = detours->profile->nsites;
    double *seconds = sca_workspace_alloc(detours->space, (size_t)c->count * n, sizeof *seconds);
    double *exact = sca_workspace_alloc(detours->space, n, sizeof *exact);
    double *shown = sca_workspace_alloc(detours->space, n, sizeof *shown);
    sca_window_rest_open(detours->space, detours->profile, &run->intervals, c->count, &c->rest);
    count_all(detours, c, seconds, exact);
    sca_calibrate(c->weight, c->count, seconds, exact, shown, n);
    sca_calibrate_add_windows(c->weight, c->count, seconds, shown, n);
    struct cover cover = cover_of(shown, exact, n, &c->rest);
    c->walked = c->together && cover.beside >= SCA_BY_CHANCE;
    return is_enough(&cover, c->walked, c->others);
}

/* Makes the windows add up to what each rank takes in the run. */
static void add_up(struct sca_workspace *space, struct sca_detours *detours,
                   const struct sca_ppg_run *run, struct sca_team *team,
                   const struct window_choice *c, uint32_t count, struct sca_trace *traces)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    uint32_t nranks = detours->profile->nranks;
    const double *before = sca_segment_sums(&scratch, &run->intervals, team, traces, count, nranks);
    sca_window_fit(detours, &run->intervals, team, traces, count);
    sca_window_total_fit(detours, &c->rest, team, traces, count);
    sca_segment_take_back(space, &run->intervals, team, before, traces, count, nranks);
    sca_workspace_free(&scratch);
}

/* Scenes of `count` windows, on from `first`; `team`: other processes have the others. */
static void play_windows(struct sca_workspace *space, struct sca_detours *detours,
                         const struct sca_ppg_run *run, struct sca_team *team,
                         const struct window_choice *c, uint32_t first, uint32_t count,
                         struct sca_trace *traces)
{
    uint32_t nranks = detours->profile->nranks;
    for (uint32_t i = 0; i < count; i++) {
        traces[i] = (struct sca_trace){
            .nranks = nranks, .number = first + i, .weight = c->weight[first + i]};
        traces[i].sequences = sca_workspace_alloc(space, nranks, sizeof *traces[i].sequences);
    }
    for (uint32_t r = 0; r < nranks; r++) {
        const struct sca_rank *rank = sca_local_calls_of_rank(detours, r);
        for (uint32_t i = 0; i < count; i++)
            play_window(space, detours, find_window(rank, c->windows[first + i]->iteration),
                        traces[i].sequences, r);
    }
    add_up(space, detours, run, team, c, count, traces);
    for (uint32_t i = 0; i < count; i++) {
        sca_window_rest_put(&c->rest, space, c->weight, first + i, &traces[i]);
        sca_replay_trace_number(space, &traces[i]);
        sca_instances_compare(space, &traces[i], detours->profile->nsites);
    }
}

static void finish(struct sca_workspace *space, const struct sca_ppg_run *run,
                   const struct window_choice *c, struct sca_traces *out)
{
    out->recorded = true;
    out->shown = c->count;
    sum_excess(space, out, run->nranks, &run->intervals);
}

/* The trace behind those of the windows. */
static void walk_rest(struct sca_workspace *space, const struct sca_detours *detours,
                      const struct window_choice *c, struct sca_trace *trace)
{
    const struct sca_profile *profile = detours->profile;
    bool *left_out = sca_workspace_alloc(detours->space, profile->nsites, sizeof *left_out);
    for (uint32_t s = 0; s < profile->nsites; s++)
        left_out[s] = c->rest.sites[s] || profile->sites[s].thread;
    sca_rest_walk_make(space, detours->space, profile, left_out, trace);
    trace->number = c->count;
    sca_replay_trace_number(space, trace);
    sca_instances_compare(space, trace, detours->profile->nsites);
}

static bool from_windows(struct sca_workspace *space, struct sca_detours *detours,
                         const struct window_choice *c, const struct sca_ppg_run *run,
                         struct sca_traces *out)
{
    sca_replay_trace_take(out, c->count + c->walked);
    bool rest = c->walked && out->count && out->first + out->count > c->count;
    play_windows(space, detours, run, out->team, c, out->first, out->count - rest, out->traces);
    if (rest)
        walk_rest(space, detours, c, &out->traces[out->count - 1]);
    finish(space, run, c, out);
    return true;
}

/* The first trace is the sequence, the others are what happened too rarely for it. */
static void take_sequence(struct sca_workspace *space, struct sca_detours *detours,
                          const struct sca_trace *windows,
                          const struct sca_window_sequence *sequence, uint32_t count,
                          struct sca_traces *out)
{
    uint32_t *alone = sca_workspace_alloc(detours->space, count, sizeof *alone), n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!sequence->in[i])
            alone[n++] = i;
    sca_replay_trace_take(out, 1 + n);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t number = out->first + i;
        struct sca_window_sequence one = {.count = 1};
        if (number) {
            one.order = &alone[number - 1];
            one.weight = windows[alone[number - 1]].weight;
        }
        sca_window_sequence_play(space, detours->space, windows, number ? &one : sequence,
                                 &out->traces[i]);
    }
}

/* Of what moves from rank to rank totals say nothing; and where they leave the order of calls open,
 * recorded windows tell it. On shared cores all instances scatter. */
static bool tell_more(struct sca_workspace *space, const struct sca_profile *profile, double moving,
                      const struct sca_trace *windows, uint32_t count)
{
    return moving >= SCA_RELEVANT || (!sca_trace_synthesis_is_certain(space, profile) &&
                                      sca_window_sequence_meets(space, profile, windows, count));
}

static bool from_sequence(struct sca_workspace *space, struct sca_detours *detours,
                          const struct window_choice *c, const struct sca_ppg_run *run,
                          struct sca_traces *out)
{
    struct sca_trace *windows = sca_workspace_alloc(detours->space, c->count, sizeof *windows);
    struct sca_window_sequence sequence;
    play_windows(detours->space, detours, run, NULL, c, 0, c->count, windows);
    out->moving = sca_window_sequence_moving(detours->space, windows, c->count, &run->intervals);
    if (!tell_more(detours->space, run->profile, out->moving, windows, c->count) ||
        !sca_window_cut_is_consistent(detours->space, windows, c->count) ||
        !sca_window_sequence_plan(detours->space, windows, c->count, &sequence))
        return false;
    take_sequence(space, detours, windows, &sequence, c->count, out);
    finish(space, run, c, out);
    return true;
}

bool sca_window_trace_play(struct sca_workspace *space, struct sca_workspace *scratch,
                           const struct sca_ppg_run *run, struct sca_traces *out)
{
    struct window_choice c = {0};
    struct sca_detours detours;
    choose_windows(scratch, run->profile, &c);
    if (!c.count)
        return false;
    sca_local_calls_open(scratch, run->profile, &detours);
    bool recorded = stand_for_run(&detours, run, &c);
    if (recorded)
        recorded = c.together ? from_windows(space, &detours, &c, run, out)
                              : from_sequence(space, &detours, &c, run, out);
    sca_local_calls_close(&detours);
    return recorded;
}
