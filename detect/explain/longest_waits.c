#include "explain/longest_waits.h"

#include "base/degrees.h"

bool sca_longest_waits_is_delaying(const struct sca_finding *cause, uint32_t rank)
{
    for (uint32_t i = 0; i < cause->nranks; i++)
        if (cause->ranks[i] == rank)
            return true;
    return false;
}

uint32_t sca_longest_waits_vertex(const struct sca_ppg_run *run, struct sca_trace_event step)
{
    return step.site < run->profile->nsites ? run->site_vertex[step.site] : SCA_NONE;
}

const struct sca_replay *sca_longest_waits_own_replay(const struct sca_stage *stage, uint32_t trace)
{
    uint32_t i = trace - stage->traces->first;
    return trace >= stage->traces->first && i < stage->nreplays ? &stage->replays[i] : NULL;
}

/* Where all ranks are to blame, each waits for another one. */
static bool may_wait(const struct sca_wait_search *s, uint32_t rank)
{
    return sca_finding_rotates(s->cause) || s->cause->nranks == s->stage->m->nranks ||
           !sca_longest_waits_is_delaying(s->cause, rank);
}

/* Longest first; of equal ones the lowest rank's, then the earliest. */
static int by_length(const void *a, const void *b)
{
    const struct sca_wait *x = a, *y = b;
    if ((x->process == SCA_NONE) != (y->process == SCA_NONE))
        return x->process == SCA_NONE ? 1 : -1;
    if (x->waited != y->waited)
        return x->waited < y->waited ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->trace != y->trace)
        return x->trace < y->trace ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void insert(struct sca_wait *starts, const struct sca_wait *fresh)
{
    uint32_t at = SCA_MOST_WAITS;
    for (; at > 0 && by_length(&starts[at - 1], fresh) > 0; at--)
        if (at < SCA_MOST_WAITS)
            starts[at] = starts[at - 1];
    if (at < SCA_MOST_WAITS)
        starts[at] = *fresh;
}

static void add_waits_of(const struct sca_wait_search *search, const struct sca_replay *replay,
                         uint32_t trace, struct sca_wait *out)
{
    for (uint32_t i = 0; i < replay->trace->nevents; i++) {
        uint32_t s = replay->numbers.number[i], rank = sca_replay_rank(replay, s);
        double waited = sca_replay_waited(replay, s);
        if (waited <= SCA_NO_TIME || !may_wait(search, rank) ||
            sca_longest_waits_vertex(search->stage->m->run, sca_replay_event(replay, s)) !=
                search->vertex)
            continue;
        struct sca_wait fresh = {.waited = waited, .rank = rank, .trace = trace, .place = i};
        fresh.process = search->stage->traces->team->rank;
        fresh.step = s;
        insert(out, &fresh);
    }
}

static void clear(struct sca_wait *waits)
{
    for (uint32_t i = 0; i < SCA_MOST_WAITS; i++)
        waits[i] = (struct sca_wait){.process = SCA_NONE};
}

void sca_longest_waits(struct sca_workspace *space, const struct sca_wait_search *search,
                       uint32_t first, uint32_t end, struct sca_wait *out)
{
    struct sca_team *team = search->stage->traces->team;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_wait *all =
        sca_workspace_alloc(&scratch, (size_t)team->size * SCA_MOST_WAITS, sizeof *all);
    const struct sca_replay *replay;
    clear(out);
    for (uint32_t trace = first; trace < end; trace++)
        if ((replay = sca_longest_waits_own_replay(search->stage, trace)))
            add_waits_of(search, replay, trace, out);
    sca_team_gather(team, out, SCA_MOST_WAITS * sizeof *out, all);
    clear(out);
    for (uint32_t i = 0; i < team->size * SCA_MOST_WAITS; i++)
        if (all[i].process != SCA_NONE)
            insert(out, &all[i]);
    sca_workspace_free(&scratch);
}
