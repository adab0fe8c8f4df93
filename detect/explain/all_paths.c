#include "explain/all_paths.h"
#include "base/degrees.h"
#include "explain/longest_waits.h"
#include "replay/delay.h"
#include "replay/replay.h"

#include <stdlib.h>

enum { MOST_CALLS = 12, RANKS_OF_CALL = 4, MOST_PATHS = 64 };

struct paths {
    struct sca_workspace *space;
    const struct sca_stage *stage;
    const struct sca_path_wish *wish;
    struct sca_paths *out;
    uint32_t ncalls, calls[MOST_CALLS]; /* MPI vertices where paths begin */
    uint32_t *call_of;                  /* per vertex: which of these; SCA_NONE */
};

/* Ranks' longest waits in a call, longest first; one a rank. */
struct starts {
    struct sca_wait of[RANKS_OF_CALL];
};

/* ---- which calls ---- */

static double *waits_by_vertex(const struct paths *p)
{
    const struct sca_stage *stage = p->stage;
    double *sums = sca_workspace_alloc(p->space, stage->m->ppg->nvertices, sizeof *sums);
    for (uint32_t k = 0; k < stage->nreplays; k++) {
        const struct sca_replay *replay = &stage->replays[k];
        for (uint32_t i = 0; i < replay->trace->nevents; i++) {
            uint32_t v = sca_longest_waits_vertex(stage->m->run, sca_replay_event(replay, i));
            if (v != SCA_NONE)
                sums[v] += sca_replay_waited(replay, i) * replay->trace->weight;
        }
    }
    sca_team_sum(stage->traces->team, sums, stage->m->ppg->nvertices);
    return sums;
}

/* What does not scale first, then by seconds. */
static bool comes_before(const struct paths *p, const double *waits, uint32_t a, uint32_t b)
{
    bool grows = p->wish->nonscalable[a];
    return grows != p->wish->nonscalable[b] ? grows : waits[a] > waits[b];
}

static void choose_calls(struct paths *p)
{
    const double *waits = waits_by_vertex(p);
    uint32_t nv = p->stage->m->ppg->nvertices;
    p->call_of = sca_workspace_alloc(p->space, nv, sizeof *p->call_of);
    for (uint32_t v = 0; v < nv; v++) {
        p->call_of[v] = SCA_NONE;
        if (waits[v] <= SCA_NO_TIME || (waits[v] < p->wish->least && !p->wish->nonscalable[v]))
            continue;
        uint32_t at = p->ncalls < MOST_CALLS ? p->ncalls : MOST_CALLS;
        p->out->left_out += p->ncalls == MOST_CALLS;
        for (; at > 0 && comes_before(p, waits, v, p->calls[at - 1]); at--)
            if (at < MOST_CALLS)
                p->calls[at] = p->calls[at - 1];
        if (at < MOST_CALLS)
            p->calls[at] = v;
        p->ncalls += p->ncalls < MOST_CALLS;
    }
    for (uint32_t i = 0; i < p->ncalls; i++)
        p->call_of[p->calls[i]] = i;
}

/* ---- which waits ---- */

static bool is_longer(const struct sca_wait *a, const struct sca_wait *b)
{
    if (b->process == SCA_NONE || a->process == SCA_NONE)
        return b->process == SCA_NONE && a->process != SCA_NONE;
    return a->waited != b->waited ? a->waited > b->waited : a->rank < b->rank;
}

/* A rank stands there once, with its longest. */
static void insert(struct starts *starts, const struct sca_wait *fresh)
{
    struct sca_wait *list = starts->of;
    uint32_t at = RANKS_OF_CALL;
    for (uint32_t i = 0; i < RANKS_OF_CALL && at == RANKS_OF_CALL; i++)
        if (list[i].process != SCA_NONE && list[i].rank == fresh->rank)
            at = i;
    if (at == RANKS_OF_CALL)
        at--;
    if (!is_longer(fresh, &list[at]))
        return;
    for (; at > 0 && is_longer(fresh, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = *fresh;
}

static void clear(struct starts *starts)
{
    for (uint32_t i = 0; i < MOST_CALLS; i++)
        for (uint32_t k = 0; k < RANKS_OF_CALL; k++)
            starts[i].of[k] = (struct sca_wait){.process = SCA_NONE};
}

static void add_own(const struct paths *p, struct starts *starts)
{
    const struct sca_stage *stage = p->stage;
    for (uint32_t k = 0; k < stage->nreplays; k++) {
        const struct sca_replay *replay = &stage->replays[k];
        for (uint32_t s = 0; s < replay->trace->nevents; s++) {
            double waited = sca_replay_waited(replay, s);
            uint32_t v = waited > SCA_NO_TIME
                             ? sca_longest_waits_vertex(stage->m->run, sca_replay_event(replay, s))
                             : SCA_NONE;
            if (v == SCA_NONE || p->call_of[v] == SCA_NONE)
                continue;
            const struct sca_wait fresh = {.waited = waited,
                                           .rank = sca_replay_rank(replay, s),
                                           .trace = stage->traces->first + k,
                                           .process = stage->traces->team->rank,
                                           .step = s};
            insert(&starts[p->call_of[v]], &fresh);
        }
    }
}

/* Of all processes: each gets the same ones. */
static void find_starts(const struct paths *p, struct starts *out)
{
    struct sca_team *team = p->stage->traces->team;
    struct sca_workspace scratch = {.out_of_memory = p->space->out_of_memory};
    struct starts *all =
        sca_workspace_alloc(&scratch, (size_t)team->size * MOST_CALLS, sizeof *all);
    clear(out);
    add_own(p, out);
    sca_team_gather(team, out, MOST_CALLS * sizeof *out, all);
    clear(out);
    for (uint32_t i = 0; i < team->size * MOST_CALLS; i++)
        for (uint32_t k = 0; k < RANKS_OF_CALL; k++)
            if (all[i].of[k].process != SCA_NONE)
                insert(&out[i % MOST_CALLS], &all[i].of[k]);
    sca_workspace_free(&scratch);
}

/* ---- the walk ---- */

/* What the rank waited for computed most more of than the one that waits. */
static uint32_t late_by(struct sca_delays *delays, uint32_t step)
{
    struct sca_delay d;
    uint32_t best = SCA_NONE;
    if (!sca_delay_find(delays, step, &d))
        return SCA_NONE;
    sca_delay_explain(delays, step, &d);
    for (uint32_t i = 0; i < delays->ntouched; i++) {
        uint32_t v = delays->touched[i];
        if (delays->surplus[v] > 0 &&
            (best == SCA_NONE || delays->surplus[v] > delays->surplus[best]))
            best = v;
    }
    return best;
}

static void follow(struct sca_chain_walk *walk, struct sca_delays *delays, uint32_t step)
{
    uint32_t last = step;
    sca_chain_walk_add(walk, sca_chain_walk_vertex(walk, step), sca_replay_rank(walk->replay, step),
                       "");
    for (int hops = 0; hops < SCA_MOST_HOPS && step != SCA_NO_EVENT &&
                       walk->replay->waited_for[step] != SCA_NO_EVENT;
         hops++) {
        last = step;
        uint32_t by = sca_chain_walk_hop(walk, step);
        step = sca_chain_walk_own_wait(walk, by, sca_replay_waited(walk->replay, step));
        if (step != SCA_NO_EVENT)
            sca_chain_walk_add(walk, sca_chain_walk_vertex(walk, step),
                               sca_replay_rank(walk->replay, step), "data");
    }
    uint32_t work = late_by(delays, last);
    if (work != SCA_NONE)
        sca_chain_walk_descend(walk, work);
}

static struct sca_path *new_path(struct paths *p, enum sca_path_start start, double waited)
{
    struct sca_path *path = &p->out->items[p->out->count++];
    *path = (struct sca_path){.start = start, .waited = waited};
    path->chain.steps = sca_workspace_alloc(p->space, SCA_MOST_CHAIN, sizeof *path->chain.steps);
    return path;
}

static void add_waits(struct paths *p)
{
    const struct sca_stage *stage = p->stage;
    struct starts starts[MOST_CALLS];
    struct sca_delays delays;
    find_starts(p, starts);
    if (stage->nreplays)
        sca_delay_open(p->space, stage->m, stage->replays, &delays);
    for (uint32_t i = 0; i < p->ncalls; i++)
        for (uint32_t k = 0; k < RANKS_OF_CALL; k++) {
            const struct sca_wait *wait = &starts[i].of[k];
            if (wait->process == SCA_NONE)
                continue;
            bool grows = p->wish->nonscalable[p->calls[i]];
            struct sca_path *path =
                new_path(p, grows ? SCA_PATH_NONSCALABLE : SCA_PATH_WAITING, wait->waited);
            struct sca_chain_walk walk = {p->space, stage->m, NULL, &path->chain, stage};
            if (wait->process == stage->traces->team->rank) {
                walk.replay = sca_longest_waits_own_replay(stage, wait->trace);
                sca_delay_turn_to(&delays, walk.replay);
                follow(&walk, &delays, wait->step);
            }
            if (stage->traces->team->size > 1)
                sca_chain_walk_share(&walk, wait->process);
        }
}

/* ---- what no path has come through ---- */

static bool is_scanned(const struct paths *p, uint32_t vertex, uint32_t rank)
{
    for (uint32_t i = 0; i < p->out->count; i++)
        for (uint32_t k = 0; k < p->out->items[i].chain.count; k++) {
            const struct sca_chain_step *s = &p->out->items[i].chain.steps[k];
            if (s->vertex == vertex && s->rank == rank)
                return true;
        }
    return false;
}

/* No rank waits for it: its path is that place alone. */
static void add_alone(struct paths *p, enum sca_path_start start, uint32_t vertex, uint32_t rank)
{
    if (is_scanned(p, vertex, rank))
        return;
    if (p->out->count == MOST_PATHS) {
        p->out->left_out++;
        return;
    }
    struct sca_chain *chain = &new_path(p, start, 0)->chain;
    chain->steps[chain->count++] = (struct sca_chain_step){vertex, rank, ""};
}

static uint32_t slowest(const struct sca_measure *m, uint32_t vertex)
{
    const double *row = m->inclusive + (size_t)vertex * m->nranks;
    uint32_t best = 0;
    for (uint32_t r = 1; r < m->nranks; r++)
        best = row[r] > row[best] ? r : best;
    return best;
}

static void add_places(struct paths *p)
{
    const struct sca_ppg *ppg = p->stage->m->ppg;
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        if (p->wish->nonscalable[v] && ppg->vertices[v].kind != SCA_MPI)
            add_alone(p, SCA_PATH_NONSCALABLE, v, slowest(p->stage->m, v));
    for (uint32_t i = 0; i < p->wish->abnormals->count; i++) {
        const struct sca_abnormal *a = &p->wish->abnormals->items[i];
        if (a->ratio > 0 && a->ratio < p->wish->ratio)
            continue;
        for (uint32_t k = 0; k < a->nranks && k < RANKS_OF_CALL; k++)
            add_alone(p, SCA_PATH_ABNORMAL, a->vertex, a->ranks[k]);
    }
}

void sca_all_paths_find(struct sca_workspace *space, const struct sca_stage *stage,
                        const struct sca_path_wish *wish, struct sca_paths *out)
{
    struct paths p = {.space = space, .stage = stage, .wish = wish, .out = out};
    *out = (struct sca_paths){0};
    out->items = sca_workspace_alloc(space, MOST_PATHS, sizeof *out->items);
    choose_calls(&p);
    add_waits(&p);
    add_places(&p);
}

const char *sca_all_paths_start(enum sca_path_start start)
{
    static const char *const names[] = {"nonscalable", "waiting", "abnormal"};
    return names[start];
}
