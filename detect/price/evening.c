#include "price/evening.h"

#include <math.h>
#include <string.h>

/* Number of the interval that an event ends; SCA_NONE: it is none of the run's, or one of those
 * behind a call that are not told apart, and have nothing in common. */
static uint32_t interval_of(const struct sca_stage *stage,
                            const struct sca_event_sequence *sequence, uint32_t i)
{
    const struct sca_intervals *intervals = &stage->m->run->intervals;
    struct sca_trace_event s = sca_trace_event_of(sequence, i);
    uint32_t number = sca_intervals_number(intervals, s.previous, s.site);
    return number == SCA_NONE || intervals->next[number] == SCA_NONE ? SCA_NONE : number;
}

static void add_instances(const struct sca_stage *stage, const struct sca_replay *replay,
                          uint32_t rank)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t number = interval_of(stage, sequence, i);
        if (number == SCA_NONE || sca_replay_is_own(replay, rank, i))
            continue;
        stage->sums[number] +=
            replay->interval[sca_replay_at(replay, rank, i)] * replay->trace->weight;
        stage->counts[number] += replay->trace->weight;
    }
}

static void set_instances(const struct sca_stage *stage, struct sca_replay *replay, uint32_t rank)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t number = interval_of(stage, sequence, i);
        if (number != SCA_NONE && !sca_replay_is_own(replay, rank, i))
            replay->interval[sca_replay_at(replay, rank, i)] =
                stage->sums[number] / stage->counts[number];
    }
    replay->stale = true;
}

void sca_evening_out(struct sca_stage *stage, uint32_t rank)
{
    uint32_t n = stage->m->run->intervals.n;
    memset(stage->sums, 0, n * sizeof *stage->sums);
    memset(stage->counts, 0, n * sizeof *stage->counts);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        add_instances(stage, &stage->replays[i], rank);
    sca_team_sum(stage->traces->team, stage->sums, n);
    sca_team_sum(stage->traces->team, stage->counts, n);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        set_instances(stage, &stage->replays[i], rank);
}

static void add_scatter(const struct sca_stage *stage, const struct sca_replay *replay,
                        uint32_t rank, double *seconds)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t number = interval_of(stage, sequence, i);
        double mean = replay->interval[sca_replay_at(replay, rank, i)];
        if (number != SCA_NONE)
            seconds[number] += fmax(0, sequence->interval[i] - mean) * replay->trace->weight;
    }
}

uint32_t sca_evening_most_uneven(const struct sca_stage *stage)
{
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    uint32_t n = stage->m->run->intervals.n, most = SCA_NONE;
    double *seconds = sca_workspace_alloc(&scratch, n, sizeof *seconds);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        for (uint32_t r = 0; r < stage->m->nranks; r++)
            add_scatter(stage, &stage->replays[i], r, seconds);
    sca_team_sum(stage->traces->team, seconds, n);
    for (uint32_t g = 0; g < n; g++)
        if (seconds[g] > (most == SCA_NONE ? 0 : seconds[most]))
            most = g;
    sca_workspace_free(&scratch);
    return most;
}
