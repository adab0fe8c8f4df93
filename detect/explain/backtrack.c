#include "explain/backtrack.h"
#include "base/degrees.h"
#include "explain/chain_walk.h"
#include "replay/delay.h"
#include "explain/longest_waits.h"

struct walk {
    struct sca_chain_walk at;
    const struct sca_finding *cause;
    struct sca_delays delays; /* of the replay */
    bool strict;              /* the last wait is for what the cause is, not for its rank alone */
};

/* Whether waits say of what computation they are: these are charged to vertices, on some ranks. */
static bool is_told_by_waits(const struct sca_measure *m, const struct sca_finding *cause)
{
    return cause->category <= SCA_CAUSE_SERIAL && !sca_finding_rotates(cause) &&
           !sca_finding_is_interval(cause) && cause->nranks < m->nranks;
}

/* The waiting step's wait for a rank of the cause: a good part of it is the cause's doing. The rank
 * may have been late for something else that time. */
static bool is_its_doing(struct walk *w, uint32_t step)
{
    struct sca_delays *p = &w->delays;
    struct sca_delay d;
    double sum = 0;
    if (!w->strict)
        return true;
    if (!sca_delay_find(p, step, &d))
        return false;
    sca_delay_explain(p, step, &d);
    for (uint32_t k = 0; k < w->cause->nvertices; k++) {
        uint32_t first = w->cause->vertices[k], end = w->at.stage->ends[first];
        for (uint32_t i = 0; i < p->ntouched; i++)
            if (p->touched[i] >= first && p->touched[i] < end && p->surplus[p->touched[i]] > 0)
                sum += p->surplus[p->touched[i]];
    }
    return sum >= SCA_SUBSTANTIAL * d.own;
}

/* From a waiting step to the cause's rank; false if the waits lead elsewhere. */
static bool follow(struct walk *w, uint32_t step)
{
    w->at.chain->count = 0;
    sca_chain_walk_add(&w->at, sca_chain_walk_vertex(&w->at, step),
                       sca_replay_rank(w->at.replay, step), "");
    for (int hops = 0; hops < SCA_MOST_HOPS; hops++) {
        if (w->at.replay->waited_for[step] == SCA_NO_EVENT)
            return false;
        uint32_t by = sca_chain_walk_hop(&w->at, step);
        if (sca_longest_waits_is_delaying(w->cause, sca_replay_rank(w->at.replay, by)) &&
            is_its_doing(w, step))
            return true;
        double length = sca_replay_waited(w->at.replay, step);
        step = sca_chain_walk_own_wait(&w->at, by, length);
        if (step == SCA_NO_EVENT)
            return false;
        sca_chain_walk_add(&w->at, sca_chain_walk_vertex(&w->at, step),
                           sca_replay_rank(w->at.replay, step), "data");
    }
    return false;
}

/* The first of the starts from which this process can follow the waits to the cause. */
static uint32_t first_own(struct walk *w, const struct sca_wait *starts)
{
    for (uint32_t i = 0; i < SCA_MOST_WAITS; i++) {
        if (starts[i].process != w->at.stage->traces->team->rank)
            continue;
        w->at.replay = sca_longest_waits_own_replay(w->at.stage, starts[i].trace);
        sca_delay_turn_to(&w->delays, w->at.replay);
        if (follow(w, starts[i].step))
            return i;
    }
    return SCA_NONE;
}

static bool chain_from(struct walk *w, uint32_t vertex, uint32_t first, uint32_t end)
{
    struct sca_team *team = w->at.stage->traces->team;
    struct sca_workspace scratch = {.out_of_memory = w->at.space->out_of_memory};
    uint32_t *found = sca_workspace_alloc(&scratch, team->size, sizeof *found), best = 0;
    const struct sca_wait_search search = {w->at.stage, w->cause, vertex};
    struct sca_wait starts[SCA_MOST_WAITS];
    sca_longest_waits(w->at.space, &search, first, end, starts);
    uint32_t own = first_own(w, starts);
    sca_team_gather(team, &own, sizeof own, found);
    for (uint32_t i = 1; i < team->size; i++)
        if (found[i] < found[best])
            best = i;
    bool any = found[best] != SCA_NONE;
    if (any && team->size > 1)
        sca_chain_walk_share(&w->at, best);
    sca_workspace_free(&scratch);
    return any;
}

/* Recorded windows are looked at one after the other; segments of one walk are one. */
static bool chain_to(struct walk *w, uint32_t vertex)
{
    const struct sca_traces *traces = w->at.stage->traces;
    if (!traces->recorded)
        return chain_from(w, vertex, 0, traces->all);
    for (uint32_t i = 0; i < traces->all; i++)
        if (chain_from(w, vertex, i, i + 1))
            return true;
    return false;
}

static uint32_t greatest(const double *symptom, const bool *tried, uint32_t n)
{
    uint32_t best = SCA_NONE;
    for (uint32_t v = 0; v < n; v++)
        if (symptom[v] > 0 && !tried[v] && (best == SCA_NONE || symptom[v] > symptom[best]))
            best = v;
    return best;
}

/* The rank a chain that found no wait starts on: where the cause takes longest. */
static uint32_t slowest_rank(const struct walk *w)
{
    uint32_t best = w->cause->ranks[0];
    const double *row = w->at.m->inclusive + (size_t)w->cause->vertex * w->at.m->nranks;
    for (uint32_t i = 0; i < w->cause->nranks; i++)
        if (row[w->cause->ranks[i]] > row[best])
            best = w->cause->ranks[i];
    return best;
}

/* From the greatest symptom from which it can be followed. */
static bool find_chain(struct walk *w, const double *symptom)
{
    struct sca_workspace scratch = {.out_of_memory = w->at.space->out_of_memory};
    uint32_t nv = w->at.m->ppg->nvertices;
    bool *tried = sca_workspace_alloc(&scratch, nv, sizeof *tried), found = false;
    for (uint32_t v; !found && (v = greatest(symptom, tried, nv)) != SCA_NONE;) {
        tried[v] = true;
        found = chain_to(w, v);
    }
    sca_workspace_free(&scratch);
    return found;
}

void sca_backtrack(struct sca_workspace *space, const struct sca_stage *stage,
                   const struct sca_finding *cause, const double *symptom, struct sca_chain *out)
{
    struct walk w = {.at = {space, stage->m, NULL, out, stage}, .cause = cause};
    w.strict = is_told_by_waits(stage->m, cause);
    if (w.strict && stage->nreplays)
        sca_delay_open(space, stage->m, stage->replays, &w.delays);
    out->count = 0;
    out->steps = sca_workspace_alloc(space, SCA_MOST_CHAIN, sizeof *out->steps);
    bool found = find_chain(&w, symptom);
    if (!found && w.strict) {
        w.strict = false;
        found = find_chain(&w, symptom);
    }
    if (found)
        sca_chain_walk_descend(&w.at, cause->vertex);
    else {
        out->count = 0;
        sca_chain_walk_add(&w.at, cause->vertex, slowest_rank(&w), "");
    }
}
