#include "price/call_waits.h"
#include "team/team.h"

static void add_replay(const struct sca_replay *replay, uint32_t nsites, double *waited,
                       double *calls)
{
    double weight = replay->trace->weight;
    for (uint32_t i = 0; i < replay->trace->nevents; i++) {
        uint32_t event = replay->order[i], site = sca_replay_event(replay, event).site;
        size_t cell = (size_t)sca_replay_rank(replay, event) * nsites + site;
        if (site >= nsites)
            continue;
        waited[cell] += sca_replay_waited(replay, event) * weight;
        calls[cell] += weight;
    }
}

double *sca_call_waits_find(struct sca_workspace *space, const struct sca_stage *stage)
{
    struct sca_team *team = stage->traces->team;
    uint32_t nsites = stage->m->run->profile->nsites;
    size_t cells = (size_t)stage->m->nranks * nsites;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *waited = sca_workspace_alloc(space, cells, sizeof *waited);
    double *calls = sca_workspace_alloc(&scratch, cells, sizeof *calls);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        add_replay(&stage->replays[i], nsites, waited, calls);
    sca_team_sum_sparse(team, waited, cells);
    sca_team_sum_sparse(team, calls, cells);
    for (size_t i = 0; i < cells; i++)
        waited[i] = calls[i] > 0 ? waited[i] / calls[i] : 0;
    sca_workspace_free(&scratch);
    return waited;
}
