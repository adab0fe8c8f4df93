#include "trace/segment.h"

static void add_trace(const struct sca_trace *trace, const struct sca_intervals *intervals,
                      double *seconds)
{
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++) {
            struct sca_trace_event event = sca_trace_event_of(&trace->sequences[r], i);
            uint32_t number = sca_intervals_number(intervals, event.previous, event.site);
            if (number != SCA_NONE)
                seconds[(size_t)r * intervals->n + number] += event.interval * trace->weight;
        }
}

double *sca_segment_sums(struct sca_workspace *space, const struct sca_intervals *intervals,
                         struct sca_team *team, const struct sca_trace *traces, uint32_t count,
                         uint32_t nranks)
{
    size_t cells = (size_t)nranks * intervals->n;
    double *seconds = sca_workspace_alloc(space, cells, sizeof *seconds);
    for (uint32_t i = 0; i < count; i++)
        if (!sca_trace_stands_alone(&traces[i]))
            add_trace(&traces[i], intervals, seconds);
    if (team)
        sca_team_sum_sparse(team, seconds, cells);
    return seconds;
}

/* By how much all ranks' instances of an interval were made longer; 0: no window shows it. */
static double common(const double *before, const double *after, uint32_t interval,
                     uint32_t nintervals, uint32_t nranks)
{
    double sums[2] = {0};
    for (uint32_t r = 0; r < nranks; r++) {
        sums[0] += before[(size_t)r * nintervals + interval];
        sums[1] += after[(size_t)r * nintervals + interval];
    }
    return sums[0] > 0 ? sums[1] / sums[0] : 0;
}

/* Per interval: by how much more than all ranks' the rank's instances were made longer. */
static void compare(const double *before, const double *after, uint32_t nintervals, uint32_t nranks,
                    float *segment)
{
    for (uint32_t g = 0; g < nintervals; g++) {
        double all = common(before, after, g, nintervals, nranks);
        for (uint32_t r = 0; r < nranks; r++) {
            size_t cell = (size_t)r * nintervals + g;
            bool told = all > 0 && before[cell] > 0 && after[cell] > 0;
            segment[cell] = told ? (float)(after[cell] / before[cell] / all) : 1;
        }
    }
}

static void take_back(struct sca_workspace *space, const struct sca_intervals *intervals,
                      const float *segment, struct sca_event_sequence *sequence)
{
    sequence->shown = sca_workspace_alloc(space, sequence->nevents, sizeof *sequence->shown);
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        struct sca_trace_event event = sca_trace_event_of(sequence, i);
        uint32_t number = sca_intervals_number(intervals, event.previous, event.site);
        double by = number == SCA_NONE ? 1 : (double)segment[number];
        sequence->shown[i] = (float)(event.interval / by);
    }
}

void sca_segment_take_back(struct sca_workspace *space, const struct sca_intervals *intervals,
                           struct sca_team *team, const double *before, struct sca_trace *traces,
                           uint32_t count, uint32_t nranks)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    size_t cells = (size_t)nranks * intervals->n;
    const double *after = sca_segment_sums(&scratch, intervals, team, traces, count, nranks);
    float *segment = sca_workspace_alloc(&scratch, cells, sizeof *segment);
    compare(before, after, intervals->n, nranks, segment);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < nranks && !sca_trace_stands_alone(&traces[i]); r++)
            take_back(space, intervals, segment + (size_t)r * intervals->n,
                      &traces[i].sequences[r]);
    sca_workspace_free(&scratch);
}
