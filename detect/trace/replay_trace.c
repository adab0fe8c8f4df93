#include "trace/replay_trace.h"

#include <string.h>

static void number_locations(struct sca_workspace *space, struct sca_trace *trace)
{
    uint32_t n = trace->nranks;
    for (uint32_t r = 0; r < trace->nranks; r++)
        n += trace->sequences[r].nothers;
    trace->nlocations = n;
    trace->location = trace->first;
    if (n == trace->nranks)
        return;
    trace->location = sca_workspace_alloc(space, (size_t)n + 1, sizeof *trace->location);
    trace->location[n] = trace->nevents;
    n = 0;
    for (uint32_t r = 0; r < trace->nranks; r++) {
        trace->location[n++] = trace->first[r];
        for (uint32_t k = 0; k < trace->sequences[r].nothers; k++)
            trace->location[n++] = trace->first[r] + trace->sequences[r].others[k];
    }
}

/* Beyond 2^32 events no machine has the memory to replay them. */
void sca_replay_trace_number(struct sca_workspace *space, struct sca_trace *trace)
{
    uint64_t nevents = 0;
    trace->first = sca_workspace_alloc(space, (size_t)trace->nranks + 1, sizeof *trace->first);
    for (uint32_t r = 0; r < trace->nranks; r++) {
        trace->first[r] = (uint32_t)nevents;
        nevents += trace->sequences[r].nevents;
        if (nevents >= SCA_NO_EVENT)
            longjmp(*space->out_of_memory, 1);
    }
    trace->first[trace->nranks] = trace->nevents = (uint32_t)nevents;
    number_locations(space, trace);
}

static bool has_time(const struct sca_op *op)
{
    return op->kind == SCA_OP_LOCK && (op->shape == SCA_LOCK_SET || op->shape == SCA_LOCK_SEEN);
}

static uint32_t time_of(const struct sca_rank *rank, const struct sca_op *op)
{
    return (uint32_t)((uint64_t)(int64_t)sca_rank_time(rank, op->number) >> 6);
}

struct sca_replay_trace_op sca_replay_trace_op(const struct sca_profile *profile,
                                               const struct sca_rank *rank, const struct sca_op *op,
                                               uint32_t event)
{
    bool known = op->peer >= 0 && (uint32_t)op->peer < profile->nranks;
    return (struct sca_replay_trace_op){.event = event,
                                        .comm = op->comm,
                                        .number =
                                            has_time(op) ? time_of(rank, op) : (uint32_t)op->number,
                                        .tag = op->tag,
                                        .peer = known ? op->peer : -1,
                                        .kind = op->kind,
                                        .shape = op->shape};
}

const uint32_t *sca_replay_trace_sites(struct sca_workspace *space,
                                       const struct sca_event_sequence *sequences, uint32_t rank,
                                       const uint32_t *sites, uint32_t nevents)
{
    for (uint32_t r = rank; r > 0 && r + SCA_LIKE_BEFORE > rank; r--)
        if (sequences[r - 1].nevents == nevents &&
            !memcmp(sequences[r - 1].sites, sites, (nevents + (size_t)1) * sizeof *sites))
            return sequences[r - 1].sites;
    return sca_workspace_grow(space, sites, nevents + (size_t)1, nevents + (size_t)1,
                              sizeof *sites);
}

void sca_replay_trace_take_others(struct sca_workspace *space,
                                  const struct sca_event_sequence *from,
                                  struct sca_event_sequence *to)
{
    to->nothers = from->nothers;
    if (from->nothers)
        to->others = sca_workspace_grow(space, from->others, from->nothers, from->nothers,
                                        sizeof *to->others);
}

void sca_replay_trace_take(struct sca_traces *traces, uint32_t all)
{
    traces->all = all;
    traces->first = sca_team_first(traces->team, all);
    traces->count = sca_team_end(traces->team, all) - traces->first;
    traces->traces = sca_workspace_alloc(&traces->space, traces->count, sizeof *traces->traces);
}

void sca_replay_trace_free(struct sca_traces *traces)
{
    sca_workspace_free(&traces->space);
    traces->traces = NULL;
    traces->count = 0;
}

double *sca_replay_trace_intervals(struct sca_workspace *space, const struct sca_trace *trace)
{
    double *interval = sca_workspace_alloc(space, trace->nevents, sizeof *interval);
    for (uint32_t r = 0; r < trace->nranks; r++)
        if (trace->sequences[r].nevents)
            memcpy(interval + trace->first[r], trace->sequences[r].interval,
                   trace->sequences[r].nevents * sizeof *interval);
    return interval;
}

double *sca_replay_trace_shown(struct sca_workspace *space, const struct sca_trace *trace)
{
    double *interval = sca_workspace_alloc(space, trace->nevents, sizeof *interval);
    uint64_t i = 0;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t s = 0; s < trace->sequences[r].nevents; s++)
            interval[i++] = sca_shown_of(&trace->sequences[r], s);
    return interval;
}

void sca_replay_trace_add_excess(const struct sca_trace *trace,
                                 const struct sca_intervals *intervals, double *seconds,
                                 double *excess)
{
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nevents; k++) {
            struct sca_trace_event event = sca_trace_event_of(&trace->sequences[r], k);
            uint32_t interval = sca_intervals_number(intervals, event.previous, event.site);
            if (interval == SCA_NONE)
                continue;
            size_t cell = (size_t)r * intervals->n + interval;
            seconds[cell] += event.interval * trace->weight;
            excess[cell] += sca_excess_of(&trace->sequences[r], k) * trace->weight;
        }
}

static float *add_seconds(struct sca_workspace *space, const struct sca_event_sequence *sequence,
                          float *sum, const double *per_call, uint32_t nsites)
{
    if (!sum && per_call)
        sum = sca_workspace_alloc(space, sequence->nevents, sizeof *sum);
    for (uint32_t k = 0; per_call && k < sequence->nevents; k++)
        if (sequence->sites[k] < nsites)
            sum[k] += (float)per_call[sequence->sites[k]];
    return sum;
}

static const double *row_of(const double *per_call, uint32_t rank, uint32_t nsites)
{
    return per_call ? per_call + (size_t)rank * nsites : NULL;
}

void sca_replay_trace_add_transfer(struct sca_traces *traces, const double *per_call,
                                   const double *other_world, uint32_t nsites)
{
    struct sca_workspace *space = &traces->space;
    for (uint32_t i = 0; i < traces->count; i++)
        for (uint32_t r = 0; r < traces->traces[i].nranks; r++) {
            struct sca_event_sequence *s = &traces->traces[i].sequences[r];
            const double *away = row_of(other_world, r, nsites);
            s->transfer = add_seconds(space, s, s->transfer, row_of(per_call, r, nsites), nsites);
            s->transfer = add_seconds(space, s, s->transfer, away, nsites);
            s->other_world = add_seconds(space, s, s->other_world, away, nsites);
        }
}
