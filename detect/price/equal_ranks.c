#include "price/equal_ranks.h"
#include "trace/instance_rows.h"

#include <string.h>

struct row_sum {
    double seconds, count;
};

static void level_rows(struct sca_workspace *scratch, const struct sca_instance_rows *rows,
                       struct sca_replay *replay)
{
    struct row_sum *sums = sca_workspace_alloc(scratch, rows->n, sizeof *sums);
    for (int level = 0; level <= 1; level++)
        for (uint32_t e = 0; e < replay->trace->nevents; e++) {
            uint32_t row = rows->row[e];
            double *seconds = &replay->interval[replay->numbers.number[e]];
            if (row == SCA_NONE || !sca_instance_rows_correspond(&rows->pairs[rows->pair[row]]))
                continue;
            if (level)
                *seconds = sums[row].seconds / sums[row].count;
            sums[row].seconds += level ? 0 : *seconds;
            sums[row].count += !level;
        }
}

/* Adds to the intervals whose instances do not correspond. */
static void play(struct sca_stage *stage, struct sca_replay *replay, double *otherwise)
{
    const struct sca_intervals *intervals = &stage->m->run->intervals;
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    struct sca_instance_rows rows =
        sca_instance_rows_find(&scratch, replay->trace, intervals->nsites);
    for (uint32_t i = 0; i < rows.npairs; i++) {
        const struct sca_row_pair *pair = &rows.pairs[i];
        uint32_t interval = sca_intervals_number(intervals, pair->previous, pair->site);
        if (interval != SCA_NONE)
            otherwise[interval] += !sca_instance_rows_correspond(pair);
    }
    level_rows(&scratch, &rows, replay);
    sca_workspace_free(&scratch);
    sca_replay_run(replay);
    replay->stale = true;
}

bool *sca_equal_ranks_play(struct sca_workspace *space, struct sca_stage *stage)
{
    uint32_t n = stage->m->run->intervals.n;
    bool *corresponds = sca_workspace_alloc(space, n, sizeof *corresponds);
    double *otherwise = sca_workspace_alloc(space, n, sizeof *otherwise);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        play(stage, &stage->replays[i], otherwise);
    sca_team_sum(stage->traces->team, otherwise, n);
    for (uint32_t g = 0; g < n; g++)
        corresponds[g] = otherwise[g] == 0;
    stage->nplayed = UINT32_MAX;
    memset(stage->changed, true, stage->m->nranks * sizeof *stage->changed);
    return corresponds;
}
