#include "price/call_waits.h"
#include "team/team.h"

static void add_replay(const struct sca_replay *replay, uint32_t nsites, double *waited,
                       double *calls)
{
    double weight = replay->scene->weight;
    for (uint32_t i = 0; i < replay->scene->nsteps; i++) {
        uint32_t step = replay->order[i], site = sca_replay_step(replay, step).site;
        size_t cell = (size_t)sca_replay_rank(replay, step) * nsites + site;
        if (site >= nsites)
            continue;
        waited[cell] += sca_replay_waited(replay, step) * weight;
        calls[cell] += weight;
    }
}

double *sca_waited_per_call(struct sca_room *room, const struct sca_stage *stage)
{
    struct sca_team *team = stage->scenes->team;
    uint32_t nsites = stage->m->run->profile->nsites;
    size_t cells = (size_t)stage->m->nranks * nsites;
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    double *waited = sca_room_alloc(room, cells, sizeof *waited);
    double *calls = sca_room_alloc(&scratch, cells, sizeof *calls);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        add_replay(&stage->replays[i], nsites, waited, calls);
    sca_team_sum_sparse(team, waited, cells);
    sca_team_sum_sparse(team, calls, cells);
    for (size_t i = 0; i < cells; i++)
        waited[i] = calls[i] > 0 ? waited[i] / calls[i] : 0;
    sca_room_free(&scratch);
    return waited;
}
