#include "price/path_times.h"
#include "price/equal_ranks.h"
#include "replay/critical_walk.h"

#include <string.h>

/* `seconds`: per interval, of the event's rank. */
static void book(const struct sca_path_times *p, const struct sca_replay *replay, uint32_t event,
                 double *seconds)
{
    struct sca_trace_event s = sca_replay_event(replay, event);
    uint32_t interval = sca_intervals_number(&p->stage->m->run->intervals, s.previous, s.site);
    if (interval != SCA_NONE && p->corresponds[interval])
        seconds[interval] += replay->interval[event] * replay->trace->weight;
}

/* What this process' traces show of a rank. */
static void book_rank(const struct sca_path_times *p, uint32_t rank, double *seconds)
{
    memset(seconds, 0, p->nintervals * sizeof *seconds);
    for (uint32_t i = 0; i < p->stage->nreplays; i++) {
        const struct sca_replay *replay = &p->stage->replays[i];
        for (uint32_t k = 0; k < replay->trace->sequences[rank].nevents; k++)
            book(p, replay, sca_replay_at(replay, rank, k), seconds);
    }
}

static void follow(const struct sca_path_times *p, const struct sca_replay *replay)
{
    struct sca_critical_walk walk;
    uint32_t event;
    sca_critical_walk_begin(&walk, replay, p->stage->m->run->profile);
    while ((event = sca_critical_walk_next(&walk)) != SCA_NO_EVENT)
        book(p, replay, event, p->on + (size_t)sca_replay_rank(replay, event) * p->nintervals);
}

/* An interval consists of the vertices that it did in the run, in equal parts of its seconds. */
static void split(const struct sca_path_times *p, uint32_t rank, uint32_t interval, double seconds)
{
    const struct sca_ppg_run *run = p->stage->m->run;
    size_t cell = (size_t)rank * p->nintervals + interval;
    double total = sca_measure_seconds_in(p->stage->m, rank, interval);
    for (uint32_t i = run->first_share[cell]; total > 0 && i < run->first_share[cell + 1]; i++) {
        const struct sca_ppg_share *share = &run->shares[i];
        double part = share->seconds / total;
        p->mean[share->vertex] += seconds * part / p->stage->m->npresent;
        p->critical[share->vertex] += p->on[cell] * part;
    }
}

static void add_up(const struct sca_path_times *p)
{
    const struct sca_ppg *ppg = p->stage->m->ppg;
    struct sca_team *team = p->stage->traces->team;
    sca_team_sum(team, p->mean, ppg->nvertices);
    sca_team_sum(team, p->critical, ppg->nvertices);
    sca_team_sum_sparse(team, p->on, (size_t)p->nranks * p->nintervals);
    for (uint32_t v = ppg->nvertices; v-- > 1;) {
        p->mean[ppg->vertices[v].parent] += p->mean[v];
        p->critical[ppg->vertices[v].parent] += p->critical[v];
    }
}

struct sca_path_times sca_path_times_open(struct sca_workspace *space, struct sca_stage *stage)
{
    uint32_t nv = stage->m->ppg->nvertices;
    struct sca_path_times p = {
        .stage = stage, .nranks = stage->m->nranks, .nintervals = stage->m->run->intervals.n};
    double *seconds = sca_workspace_alloc(space, p.nintervals, sizeof *seconds);
    p.on = sca_workspace_alloc(space, (size_t)p.nranks * p.nintervals, sizeof *p.on);
    p.mean = sca_workspace_alloc(space, nv, sizeof *p.mean);
    p.critical = sca_workspace_alloc(space, nv, sizeof *p.critical);
    p.corresponds = sca_equal_ranks_play(space, stage);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        follow(&p, &stage->replays[i]);
    for (uint32_t r = 0; r < p.nranks; r++) {
        book_rank(&p, r, seconds);
        for (uint32_t g = 0; g < p.nintervals; g++)
            split(&p, r, g, seconds[g]);
    }
    add_up(&p);
    return p;
}

double *sca_path_times_of_place(struct sca_workspace *space, const struct sca_path_times *times,
                                uint32_t vertex)
{
    const struct sca_stage *stage = times->stage;
    double *on = sca_workspace_alloc(space, times->nranks, sizeof *on);
    for (uint32_t r = 0; r < times->nranks; r++)
        for (uint32_t g = 0; g < times->nintervals; g++) {
            double there = times->on[(size_t)r * times->nintervals + g];
            double part =
                there > 0 ? sca_measure_part_in(stage->m, stage->ends, &vertex, 1, r, g) : 0;
            if (part > 0)
                on[r] += there * part / sca_measure_seconds_in(stage->m, r, g);
        }
    return on;
}
