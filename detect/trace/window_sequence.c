#include "trace/window_sequence.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 300000 };

struct window_totals { /* [rank * intervals + interval] */
    double *seconds, *excess;
};

/* What instances have beyond other ranks', less what the ranks' sums have. */
static double smoothed_out(const struct window_totals *sums, uint32_t interval, uint32_t nintervals,
                           uint32_t nranks, double *row)
{
    double of_instances = 0, of_sums = 0;
    for (uint32_t r = 0; r < nranks; r++)
        row[r] = sums->seconds[(size_t)r * nintervals + interval];
    double usual = sca_over_ranks_median(row, nranks, NULL, row);
    for (uint32_t r = 0; r < nranks; r++) {
        of_instances += sums->excess[(size_t)r * nintervals + interval];
        of_sums += fmax(0, sums->seconds[(size_t)r * nintervals + interval] - usual);
    }
    return fmax(0, of_instances - of_sums);
}

double sca_window_sequence_moving(struct sca_workspace *space, const struct sca_trace *windows,
                                  uint32_t count, const struct sca_intervals *intervals)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    uint32_t nranks = windows[0].nranks;
    size_t cells = (size_t)nranks * intervals->n;
    struct window_totals sums = {sca_workspace_alloc(&scratch, cells, sizeof(double)),
                                 sca_workspace_alloc(&scratch, cells, sizeof(double))};
    double *row = sca_workspace_alloc(&scratch, nranks, sizeof *row), all = 0, smoothed = 0;
    for (uint32_t i = 0; i < count; i++)
        sca_replay_trace_add_excess(&windows[i], intervals, sums.seconds, sums.excess);
    for (uint32_t g = 0; g < intervals->n; g++)
        smoothed += smoothed_out(&sums, g, intervals->n, nranks, row);
    for (size_t i = 0; i < cells; i++)
        all += sums.seconds[i];
    sca_workspace_free(&scratch);
    return all > 0 ? smoothed / all : 0;
}

static double shown_collectives(const struct sca_trace *windows, uint32_t count, uint32_t rank)
{
    double shown = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct sca_event_sequence *of = &windows[i].sequences[rank];
        for (uint32_t k = 0; k < of->nops; k++)
            shown += of->ops[k].kind == SCA_OP_COLLECTIVE ? windows[i].weight : 0;
    }
    return shown;
}

static double recurring_collectives(const struct sca_profile *profile, const struct sca_rank *rank)
{
    double count = 0;
    for (uint32_t i = 0; i < rank->ncollectives; i++)
        if (rank->collectives[i].count > 1 &&
            sca_lock_shape(profile->sites[rank->collectives[i].site].function) < 0)
            count += (double)rank->collectives[i].count;
    return count;
}

bool sca_window_sequence_meets(struct sca_workspace *space, const struct sca_profile *profile,
                               const struct sca_trace *windows, uint32_t count)
{
    struct sca_opened *opened = sca_workspace_opened(space, profile);
    for (uint32_t r = 0; r < profile->nranks; r++) {
        double all = recurring_collectives(profile, sca_rank_open(opened, r, SCA_OPEN_COLLECTIVES));
        if (shown_collectives(windows, count, r) < SCA_MOST * all)
            return false;
    }
    return true;
}

/* Of all windows, from the lowest of a message or collective to the highest. */
static uint32_t span_of_numbers(const struct sca_trace *windows, uint32_t count)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < windows[i].nranks; r++)
            for (uint32_t k = 0; k < windows[i].sequences[r].nops; k++) {
                uint32_t number = windows[i].sequences[r].ops[k].number;
                least = number < least ? number : least;
                most = number > most ? number : most;
            }
    return most >= least ? most - least + 1 : 1;
}

/* As they were recorded, each with those that it stands for: what is like it is near it, and what
 * comes seldom, as a collective after many steps, comes when it came. */
static void put_in_order(struct sca_window_sequence *s, const uint32_t *times, uint32_t nwindows)
{
    uint32_t t = 0;
    for (uint32_t i = 0; i < nwindows; i++)
        for (uint32_t k = 0; k < times[i]; k++)
            s->order[t++] = i;
}

bool sca_window_sequence_plan(struct sca_workspace *space, const struct sca_trace *windows,
                              uint32_t count, struct sca_window_sequence *out)
{
    double events = 0, happened = 0;
    uint32_t *times = sca_workspace_alloc(space, count, sizeof *times);
    for (uint32_t i = 0; i < count; i++)
        events += windows[i].weight * windows[i].nevents;
    double shorter = fmax(1, events / MOST_STEPS);
    *out = (struct sca_window_sequence){.in = sca_workspace_alloc(space, count, sizeof *out->in),
                                        .apart = span_of_numbers(windows, count)};
    for (uint32_t i = 0; i < count; i++) {
        times[i] = (uint32_t)lround(windows[i].weight / shorter);
        out->in[i] = times[i] > 0;
        out->count += times[i];
        happened += out->in[i] ? windows[i].weight : 0;
    }
    bool too_few = shorter > 1 && out->count < SCA_SEVERAL * count;
    if (!out->count || too_few || (uint64_t)out->apart * out->count > UINT32_MAX)
        return false;
    out->weight = happened / out->count;
    out->order = sca_workspace_alloc(space, out->count, sizeof *out->order);
    put_in_order(out, times, count);
    return true;
}

static void take_memory(struct sca_workspace *space, struct sca_workspace *ops,
                        const struct sca_trace *windows, const struct sca_window_sequence *order,
                        uint32_t rank, struct sca_event_sequence *out)
{
    size_t nevents = 0, nops = 0;
    for (uint32_t t = 0; t < order->count; t++) {
        nevents += windows[order->order[t]].sequences[rank].nevents;
        nops += windows[order->order[t]].sequences[rank].nops;
    }
    *out = (struct sca_event_sequence){
        .ops = sca_workspace_alloc(ops, nops, sizeof *out->ops),
        .interval = sca_workspace_alloc(space, nevents, sizeof *out->interval),
        .shown = sca_workspace_alloc(space, nevents, sizeof *out->shown),
        .deviation = sca_workspace_alloc(space, nevents, sizeof *out->deviation)};
}

/* The call before the window's first one is what the window before ended with. */
static void append(struct sca_event_sequence *to, const struct sca_event_sequence *window,
                   uint32_t *sites, uint32_t further)
{
    for (uint32_t k = 0; k < window->nops; k++) {
        struct sca_replay_trace_op op = window->ops[k];
        op.event += to->nevents;
        op.number += further;
        to->ops[to->nops++] = op;
    }
    if (!to->nevents)
        sites[0] = window->sites[0];
    memcpy(to->interval + to->nevents, window->interval, window->nevents * sizeof *to->interval);
    for (uint32_t i = 0; i < window->nevents; i++)
        to->shown[to->nevents + i] = (float)sca_shown_of(window, i);
    memcpy(to->deviation + to->nevents, window->deviation, window->nevents * sizeof *to->deviation);
    memcpy(sites + to->nevents + 1, window->sites + 1, window->nevents * sizeof *sites);
    to->nevents += window->nevents;
}

/* Where they begin is not filled in. */
static struct sca_trace_windows windows_of(struct sca_workspace *space,
                                           const struct sca_window_sequence *order, uint32_t nranks)
{
    uint32_t *which = sca_workspace_alloc(space, order->count, sizeof *which), n = 0;
    for (uint32_t t = 0; t < order->count; t++) {
        which[t] = order->order[t];
        n = which[t] >= n ? which[t] + 1 : n;
    }
    return (struct sca_trace_windows){
        n, order->count, which,
        sca_workspace_alloc(space, nranks * (order->count + (size_t)1), sizeof(uint32_t))};
}

static void play_rank(struct sca_workspace *space, const struct sca_trace *windows,
                      const struct sca_window_sequence *order, struct sca_event_sequence *sequences,
                      uint32_t rank, uint32_t *begin)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_event_sequence *sequence = &sequences[rank];
    size_t most = 1;
    for (uint32_t t = 0; t < order->count; t++)
        most += windows[order->order[t]].sequences[rank].nevents;
    uint32_t *sites = sca_workspace_alloc(&scratch, most, sizeof *sites);
    for (uint32_t t = 0; t < order->count; t++) {
        begin[t] = sequence->nevents;
        append(sequence, &windows[order->order[t]].sequences[rank], sites, t * order->apart);
    }
    begin[order->count] = sequence->nevents;
    sequence->sites = sca_replay_trace_sites(space, sequences, rank, sites, sequence->nevents);
    sca_workspace_free(&scratch);
}

void sca_window_sequence_play(struct sca_workspace *space, struct sca_workspace *ops,
                              const struct sca_trace *windows,
                              const struct sca_window_sequence *order, struct sca_trace *out)
{
    uint32_t nranks = windows[0].nranks;
    *out = (struct sca_trace){.nranks = nranks, .weight = order->weight};
    out->sequences = sca_workspace_alloc(space, nranks, sizeof *out->sequences);
    out->windows = windows_of(space, order, nranks);
    for (uint32_t r = 0; r < nranks; r++) {
        take_memory(space, ops, windows, order, r, &out->sequences[r]);
        play_rank(space, windows, order, out->sequences, r,
                  out->windows.begin + r * (order->count + (size_t)1));
    }
    sca_replay_trace_number(space, out);
}
