#include "replay/replay.h"

#include <math.h>

/* Leaving an event is entering the next one of its location; the last ones are left at the end. */
static void order_leaving(struct sca_workspace *space, struct sca_replay *replay)
{
    const struct sca_trace *trace = replay->trace;
    const struct sca_order *numbers = &replay->numbers;
    uint32_t n = 0;
    replay->order = sca_workspace_alloc_dense(space, trace->nevents, sizeof *replay->order);
    for (uint32_t i = numbers->nfirst; i < trace->nevents; i++)
        replay->order[n++] = numbers->number[numbers->place[i] - 1];
    for (uint32_t l = 0; l < trace->nlocations; l++)
        if (trace->location[l + 1] > trace->location[l])
            replay->order[n++] = numbers->number[trace->location[l + 1] - 1];
}

static void take_intervals(struct sca_replay *replay)
{
    const struct sca_trace *trace = replay->trace;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++)
            replay->interval[sca_replay_at(replay, r, i)] =
                trace->sequences[r].interval[i] + sca_transfer_of(&trace->sequences[r], i);
}

void sca_replay_open(struct sca_workspace *space, const struct sca_trace *trace,
                     struct sca_replay_links *links, uint64_t most_forced, struct sca_replay *out)
{
    uint32_t n = trace->nevents;
    *out = (struct sca_replay){.trace = trace, .excess = trace->excess, .stale = true};
    sca_event_order_find(space, trace, links, most_forced, &out->numbers);
    out->forced = out->numbers.forced;
    if (out->forced > most_forced)
        return;
    out->links = sca_links_renumber(space, links, out->numbers.number, out->numbers.place);
    order_leaving(space, out);
    out->interval = sca_workspace_alloc_dense(space, n, sizeof *out->interval);
    out->enter = sca_workspace_alloc_dense(space, n, sizeof *out->enter);
    out->waited_for = sca_workspace_alloc_dense(space, n, sizeof *out->waited_for);
    take_intervals(out);
}

uint32_t sca_replay_rank(const struct sca_replay *replay, uint32_t event)
{
    return sca_links_rank(replay->links, event);
}

struct sca_trace_event sca_replay_event(const struct sca_replay *replay, uint32_t event)
{
    uint32_t rank = sca_replay_rank(replay, event);
    return sca_trace_event_of(&replay->trace->sequences[rank],
                              sca_replay_place(replay, rank, event));
}

bool sca_replay_is_collective(const struct sca_replay *replay, uint32_t event)
{
    const struct sca_replay_links *l = replay->links;
    uint32_t end = l->first_input[event + 1];
    return end > l->first_input[event] && sca_input_is_collective(l->kind[end - 1]);
}

static double leave(struct sca_replay *replay, uint32_t event)
{
    double exit = sca_links_leave(replay->links, replay->enter, event, &replay->waited_for[event]);
    replay->waits += exit - replay->enter[event];
    return exit;
}

static void enter(struct sca_replay *replay, uint32_t event, double begin)
{
    replay->enter[event] = begin + replay->interval[event];
    sca_links_enter(replay->links, event, replay->enter[event]);
}

static void reset(struct sca_replay *replay)
{
    replay->end = replay->waits = 0;
    sca_links_reset(replay->links);
    for (uint32_t i = 0; replay->forced && i < replay->trace->nevents; i++)
        replay->enter[i] = -1; /* else nobody leaves before all have come that it waits for */
}

void sca_replay_run(struct sca_replay *replay)
{
    uint32_t n = replay->trace->nevents, nfirst = replay->numbers.nfirst;
    replay->stale = false;
    reset(replay);
    for (uint32_t i = 0; i < nfirst; i++)
        enter(replay, i, 0);
    for (uint32_t i = nfirst; i < n; i++)
        enter(replay, i, leave(replay, replay->order[i - nfirst]));
    for (uint32_t i = n - nfirst; i < n; i++)
        replay->end = fmax(replay->end, leave(replay, replay->order[i]));
}
