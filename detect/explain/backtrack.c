#include "explain/backtrack.h"
#include "findings/named_place.h"
#include "replay/delay.h"
#include "explain/longest_waits.h"
#include "graph/messages.h"

#include <string.h>

enum { MOST_HOPS = 32, MOST_DEPTH = 64, MOST_CHAIN = 2 * MOST_HOPS + MOST_DEPTH + 2 };

#define MOST_OF_IT 0.2 /* a wait that made a rank late is at least that part of what it caused */

struct walk {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const struct sca_replay *replay;
    const struct sca_finding *cause;
    struct sca_chain *chain;
    const struct sca_stage *stage;
    struct sca_delays delays; /* of the replay */
    bool strict;              /* the last wait is for what the cause is, not for its rank alone */
};

static uint32_t vertex_at(const struct walk *w, uint32_t step)
{
    return sca_longest_waits_vertex(w->m->run, sca_replay_event(w->replay, step));
}

/* A call that stands in the chain already is come back to: step for step it is the same again. */
static void add(struct walk *w, uint32_t vertex, uint32_t rank, const char *via)
{
    struct sca_chain *chain = w->chain;
    if (vertex == SCA_NONE)
        return;
    for (uint32_t i = 0; i < chain->count; i++)
        if (chain->steps[i].vertex == vertex && chain->steps[i].rank == rank) {
            chain->count = i + 1;
            return;
        }
    chain->steps[chain->count++] = (struct sca_chain_step){vertex, rank, via};
}

/* The longest wait of a rank between its last delay-free stretch and `step`: the latest waits
 * made it late, so look back over as long a time as the wait that is being explained. */
static uint32_t own_wait(const struct walk *w, uint32_t step, double length)
{
    uint32_t best = SCA_NO_EVENT;
    double since = w->replay->enter[step] - 4 * length;
    for (uint32_t s = sca_replay_before(w->replay, step);
         s != SCA_NO_EVENT && sca_replay_exit(w->replay, s) > since;
         s = sca_replay_before(w->replay, s))
        if (sca_replay_waited(w->replay, s) > SCA_NO_WAIT &&
            (best == SCA_NO_EVENT ||
             sca_replay_waited(w->replay, s) > sca_replay_waited(w->replay, best)))
            best = s;
    return best != SCA_NO_EVENT && sca_replay_waited(w->replay, best) >= MOST_OF_IT * length
               ? best
               : SCA_NO_EVENT;
}

/* The vertex `from` if one of the edges into `v` begins there, else where most of them do. */
static uint32_t usual_sender(const struct sca_messages *messages, uint32_t v, uint32_t from)
{
    uint32_t best = from;
    uint64_t most = 0;
    for (uint32_t i = 0; i < messages->count; i++) {
        const struct sca_ppg_message *e = &messages->edges[i];
        if (e->receive_vertex != v)
            continue;
        if (e->send_vertex == from)
            return from;
        if (e->count > most) {
            most = e->count;
            best = e->send_vertex;
        }
    }
    return best;
}

/* A message's sender as the profile knows it: the replay pairs messages by number, and of several
 * sends between two ranks only some may reach this receive. */
static uint32_t send_vertex(const struct walk *w, uint32_t receive, uint32_t send)
{
    struct sca_workspace scratch = {.out_of_memory = w->space->out_of_memory};
    struct sca_messages messages;
    if (sca_messages_between(&scratch.arena, w->m->run, sca_replay_rank(w->replay, send),
                             sca_replay_rank(w->replay, receive), &messages))
        longjmp(*w->space->out_of_memory, 1);
    uint32_t vertex = usual_sender(&messages, vertex_at(w, receive), vertex_at(w, send));
    sca_workspace_free(&scratch);
    return vertex;
}

static uint32_t hop(struct walk *w, uint32_t step)
{
    uint32_t by = w->replay->waited_for[step];
    bool collective =
        sca_replay_is_collective(w->replay, step) && sca_replay_is_collective(w->replay, by);
    uint32_t vertex = collective ? vertex_at(w, by) : send_vertex(w, step, by);
    add(w, vertex, sca_replay_rank(w->replay, by), collective ? "collective" : "p2p");
    return by;
}

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
        uint32_t first = w->cause->vertices[k], end = w->stage->ends[first];
        for (uint32_t i = 0; i < p->ntouched; i++)
            if (p->touched[i] >= first && p->touched[i] < end && p->surplus[p->touched[i]] > 0)
                sum += p->surplus[p->touched[i]];
    }
    return sum >= MOST_OF_IT * d.own;
}

/* From a waiting step to the cause's rank; false if the waits lead elsewhere. */
static bool follow(struct walk *w, uint32_t step)
{
    w->chain->count = 0;
    add(w, vertex_at(w, step), sca_replay_rank(w->replay, step), "");
    for (int hops = 0; hops < MOST_HOPS; hops++) {
        if (w->replay->waited_for[step] == SCA_NO_EVENT)
            return false;
        uint32_t by = hop(w, step);
        if (sca_longest_waits_is_delaying(w->cause, sca_replay_rank(w->replay, by)) &&
            is_its_doing(w, step))
            return true;
        double length = sca_replay_waited(w->replay, step);
        step = own_wait(w, by, length);
        if (step == SCA_NO_EVENT)
            return false;
        add(w, vertex_at(w, step), sca_replay_rank(w->replay, step), "data");
    }
    return false;
}

/* Down into the cause: over data to the first loop or branch around it that does not hold the
 * call we come from, over control from there on. Loops that do not communicate are the cause's own
 * nest, and told with its place. */
static void descend(struct walk *w, uint32_t rank)
{
    const struct sca_ppg *ppg = w->m->ppg;
    uint32_t inner[MOST_DEPTH], n = 0, from = w->chain->steps[w->chain->count - 1].vertex;
    for (uint32_t v = ppg->vertices[w->cause->vertex].parent; v && n < MOST_DEPTH;
         v = ppg->vertices[v].parent) {
        uint32_t u = from;
        while (u > v)
            u = ppg->vertices[u].parent;
        if (u == v)
            break; /* both lie in it */
        bool structure = ppg->vertices[v].kind == SCA_LOOP || ppg->vertices[v].kind == SCA_BRANCH;
        if (structure && !sca_named_place_is_nest(ppg, w->stage->ends, v))
            inner[n++] = v;
    }
    const char *via = "data";
    while (n > 0) {
        add(w, inner[--n], rank, via);
        via = "control";
    }
    add(w, w->cause->vertex, rank, via);
}

/* The first of the starts from which this process can follow the waits to the cause. */
static uint32_t first_own(struct walk *w, const struct sca_wait *starts)
{
    for (uint32_t i = 0; i < SCA_MOST_WAITS; i++) {
        if (starts[i].process != w->stage->traces->team->rank)
            continue;
        w->replay = sca_longest_waits_own_replay(w->stage, starts[i].trace);
        sca_delay_turn_to(&w->delays, w->replay);
        if (follow(w, starts[i].step))
            return i;
    }
    return SCA_NONE;
}

/* A chain leaves its process without the addresses of words. */
static void share_chain(struct walk *w, uint32_t from)
{
    static const char *const words[] = {"", "p2p", "collective", "data", "control"};
    enum { WORDS = sizeof words / sizeof *words };
    struct {
        uint32_t vertex, rank, via;
    } steps[MOST_CHAIN];
    struct sca_chain *chain = w->chain;
    for (uint32_t i = 0; i < chain->count; i++) {
        steps[i].vertex = chain->steps[i].vertex;
        steps[i].rank = chain->steps[i].rank;
        for (steps[i].via = 0; strcmp(words[steps[i].via], chain->steps[i].via);)
            steps[i].via++;
    }
    sca_team_share(w->stage->traces->team, &chain->count, sizeof chain->count, from);
    sca_team_share(w->stage->traces->team, steps, sizeof steps, from);
    for (uint32_t i = 0; i < chain->count; i++)
        chain->steps[i] =
            (struct sca_chain_step){steps[i].vertex, steps[i].rank, words[steps[i].via % WORDS]};
}

static bool chain_from(struct walk *w, uint32_t vertex, uint32_t first, uint32_t end)
{
    struct sca_team *team = w->stage->traces->team;
    struct sca_workspace scratch = {.out_of_memory = w->space->out_of_memory};
    uint32_t *found = sca_workspace_alloc(&scratch, team->size, sizeof *found), best = 0;
    const struct sca_wait_search search = {w->stage, w->cause, vertex};
    struct sca_wait starts[SCA_MOST_WAITS];
    sca_longest_waits(w->space, &search, first, end, starts);
    uint32_t own = first_own(w, starts);
    sca_team_gather(team, &own, sizeof own, found);
    for (uint32_t i = 1; i < team->size; i++)
        if (found[i] < found[best])
            best = i;
    bool any = found[best] != SCA_NONE;
    if (any && team->size > 1)
        share_chain(w, best);
    sca_workspace_free(&scratch);
    return any;
}

/* Recorded windows are looked at one after the other; segments of one walk are one. */
static bool chain_to(struct walk *w, uint32_t vertex)
{
    const struct sca_traces *traces = w->stage->traces;
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
    const double *row = w->m->inclusive + (size_t)w->cause->vertex * w->m->nranks;
    for (uint32_t i = 0; i < w->cause->nranks; i++)
        if (row[w->cause->ranks[i]] > row[best])
            best = w->cause->ranks[i];
    return best;
}

/* From the greatest symptom from which it can be followed. */
static bool find_chain(struct walk *w, const double *symptom)
{
    struct sca_workspace scratch = {.out_of_memory = w->space->out_of_memory};
    uint32_t nv = w->m->ppg->nvertices;
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
    struct walk w = {.space = space, .m = stage->m, .cause = cause, .chain = out, .stage = stage};
    w.strict = is_told_by_waits(stage->m, cause);
    if (w.strict && stage->nreplays)
        sca_delay_open(space, stage->m, stage->replays, &w.delays);
    out->count = 0;
    out->steps = sca_workspace_alloc(space, MOST_CHAIN, sizeof *out->steps);
    bool found = find_chain(&w, symptom);
    if (!found && w.strict) {
        w.strict = false;
        found = find_chain(&w, symptom);
    }
    if (found)
        descend(&w, out->steps[out->count - 1].rank);
    else {
        out->count = 0;
        add(&w, cause->vertex, slowest_rank(&w), "");
    }
}
