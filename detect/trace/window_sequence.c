#include "trace/window_sequence.h"
#include "stats/regression.h"

#include <math.h>
#include <string.h>

/* Of the computation: so much must be evened out. On shared cores all instances scatter. */
#define EVENED_OUT 0.1

enum { MOST_STEPS = 300000, A_FEW = 4 /* times each window, on average */ };

struct sums { /* [rank * gaps + gap] */
    double *seconds, *excess;
};

/* What instances have beyond other ranks', less what the ranks' sums have. */
static double evened_out(const struct sums *sums, uint32_t gap, uint32_t ngaps, uint32_t nranks,
                         double *row)
{
    double of_instances = 0, of_sums = 0;
    for (uint32_t r = 0; r < nranks; r++)
        row[r] = sums->seconds[(size_t)r * ngaps + gap];
    double usual = sca_median(row, nranks);
    for (uint32_t r = 0; r < nranks; r++) {
        of_instances += sums->excess[(size_t)r * ngaps + gap];
        of_sums += fmax(0, sums->seconds[(size_t)r * ngaps + gap] - usual);
    }
    return fmax(0, of_instances - of_sums);
}

bool sca_sequence_is_needed(struct sca_room *room, const struct sca_scene *windows, uint32_t count,
                            const struct sca_gaps *gaps)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    uint32_t nranks = windows[0].nranks;
    size_t cells = (size_t)nranks * gaps->n;
    struct sums sums = {sca_room_alloc(&scratch, cells, sizeof(double)),
                        sca_room_alloc(&scratch, cells, sizeof(double))};
    double *row = sca_room_alloc(&scratch, nranks, sizeof *row), all = 0, evened = 0;
    for (uint32_t i = 0; i < count; i++)
        sca_scene_add_excess(&windows[i], gaps, sums.seconds, sums.excess);
    for (uint32_t g = 0; g < gaps->n; g++)
        evened += evened_out(&sums, g, gaps->n, nranks, row);
    for (size_t i = 0; i < cells; i++)
        all += sums.seconds[i];
    sca_room_free(&scratch);
    return evened >= EVENED_OUT * all;
}

/* Of all windows, from the lowest of a message or collective to the highest. */
static uint32_t span_of_numbers(const struct sca_scene *windows, uint32_t count)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < windows[i].nranks; r++)
            for (uint32_t k = 0; k < windows[i].tracks[r].nops; k++) {
                uint32_t number = windows[i].tracks[r].ops[k].number;
                least = number < least ? number : least;
                most = number > most ? number : most;
            }
    return most >= least ? most - least + 1 : 1;
}

/* Each in turn, as evenly as its number allows; the first one first, as in the run. */
static void put_in_order(struct sca_window_sequence *s, const uint32_t *times, uint32_t *taken,
                         uint32_t nwindows)
{
    if (times[0])
        taken[0]++;
    for (uint32_t t = times[0] > 0; t < s->count; t++) {
        double most = -INFINITY;
        for (uint32_t i = 0; i < nwindows; i++) {
            double due = (t + 1.0) * times[i] / s->count - taken[i];
            if (due <= most || taken[i] == times[i])
                continue;
            most = due;
            s->order[t] = i;
        }
        taken[s->order[t]]++;
    }
}

bool sca_sequence_plan(struct sca_room *room, const struct sca_scene *windows, uint32_t count,
                       struct sca_window_sequence *out)
{
    double steps = 0, happened = 0;
    uint32_t *times = sca_room_alloc(room, count, sizeof *times);
    for (uint32_t i = 0; i < count; i++)
        steps += windows[i].weight * windows[i].nsteps;
    double shorter = fmax(1, steps / MOST_STEPS);
    *out = (struct sca_window_sequence){.in = sca_room_alloc(room, count, sizeof *out->in),
                                        .apart = span_of_numbers(windows, count)};
    for (uint32_t i = 0; i < count; i++) {
        times[i] = (uint32_t)lround(windows[i].weight / shorter);
        out->in[i] = times[i] > 0;
        out->count += times[i];
        happened += out->in[i] ? windows[i].weight : 0;
    }
    if (out->count < A_FEW * count || (uint64_t)out->apart * out->count > UINT32_MAX)
        return false;
    out->weight = happened / out->count;
    out->order = sca_room_alloc(room, out->count, sizeof *out->order);
    put_in_order(out, times, sca_room_alloc(room, count, sizeof *times), count);
    return true;
}

static void take_memory(struct sca_room *room, struct sca_room *ops,
                        const struct sca_scene *windows, const struct sca_window_sequence *order,
                        uint32_t rank, struct sca_track *out)
{
    size_t nsteps = 0, nops = 0;
    for (uint32_t t = 0; t < order->count; t++) {
        nsteps += windows[order->order[t]].tracks[rank].nsteps;
        nops += windows[order->order[t]].tracks[rank].nops;
    }
    *out = (struct sca_track){.ops = sca_room_alloc(ops, nops, sizeof *out->ops),
                              .gap = sca_room_alloc(room, nsteps, sizeof *out->gap),
                              .deviation = sca_room_alloc(room, nsteps, sizeof *out->deviation)};
}

/* The call before the window's first one is what the window before ended with. */
static void append(struct sca_track *to, const struct sca_track *window, uint32_t *sites,
                   uint32_t further)
{
    for (uint32_t k = 0; k < window->nops; k++) {
        struct sca_scene_op op = window->ops[k];
        op.step += to->nsteps;
        op.number += further;
        to->ops[to->nops++] = op;
    }
    if (!to->nsteps)
        sites[0] = window->sites[0];
    memcpy(to->gap + to->nsteps, window->gap, window->nsteps * sizeof *to->gap);
    memcpy(to->deviation + to->nsteps, window->deviation, window->nsteps * sizeof *to->deviation);
    memcpy(sites + to->nsteps + 1, window->sites + 1, window->nsteps * sizeof *sites);
    to->nsteps += window->nsteps;
}

static void play_rank(struct sca_room *room, const struct sca_scene *windows,
                      const struct sca_window_sequence *order, struct sca_track *tracks,
                      uint32_t rank)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct sca_track *track = &tracks[rank];
    size_t most = 1;
    for (uint32_t t = 0; t < order->count; t++)
        most += windows[order->order[t]].tracks[rank].nsteps;
    uint32_t *sites = sca_room_alloc(&scratch, most, sizeof *sites);
    for (uint32_t t = 0; t < order->count; t++)
        append(track, &windows[order->order[t]].tracks[rank], sites, t * order->apart);
    track->sites = sca_scene_sites(room, tracks, rank, sites, track->nsteps);
    sca_room_free(&scratch);
}

void sca_sequence_play(struct sca_room *room, struct sca_room *ops, const struct sca_scene *windows,
                       const struct sca_window_sequence *order, struct sca_scene *out)
{
    uint32_t nranks = windows[0].nranks;
    *out = (struct sca_scene){.nranks = nranks, .weight = order->weight};
    out->tracks = sca_room_alloc(room, nranks, sizeof *out->tracks);
    for (uint32_t r = 0; r < nranks; r++) {
        take_memory(room, ops, windows, order, r, &out->tracks[r]);
        play_rank(room, windows, order, out->tracks, r);
    }
    sca_scene_number(room, out);
}
