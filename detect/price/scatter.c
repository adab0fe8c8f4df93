#include "price/scatter.h"

#include <math.h>

static void add_sequence(const struct sca_stage *stage, const struct sca_replay *replay,
                         uint32_t rank, double *seconds)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        struct sca_trace_event s = sca_trace_event_of(sequence, i);
        uint32_t number = sca_intervals_number(&stage->m->run->intervals, s.previous, s.site);
        double mean = replay->interval[sca_replay_at(replay, rank, i)];
        if (number != SCA_NONE)
            seconds[number] += fmax(0, s.interval - mean) * replay->trace->weight;
    }
}

uint32_t sca_scatter_most(const struct sca_stage *stage)
{
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    uint32_t n = stage->m->run->intervals.n, most = SCA_NONE;
    double *seconds = sca_workspace_alloc(&scratch, n, sizeof *seconds);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        for (uint32_t r = 0; r < stage->m->nranks; r++)
            add_sequence(stage, &stage->replays[i], r, seconds);
    sca_team_sum(stage->traces->team, seconds, n);
    for (uint32_t g = 0; g < n; g++)
        if (seconds[g] > (most == SCA_NONE ? 0 : seconds[most]))
            most = g;
    sca_workspace_free(&scratch);
    return most;
}
