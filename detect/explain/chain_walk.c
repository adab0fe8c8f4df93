#include "explain/chain_walk.h"
#include "base/degrees.h"
#include "explain/longest_waits.h"
#include "findings/named_place.h"
#include "graph/messages.h"

#include <string.h>

uint32_t sca_chain_walk_vertex(const struct sca_chain_walk *w, uint32_t step)
{
    return sca_longest_waits_vertex(w->m->run, sca_replay_event(w->replay, step));
}

/* A call that stands in the chain already is come back to: step for step it is the same again. */
void sca_chain_walk_add(struct sca_chain_walk *w, uint32_t vertex, uint32_t rank, const char *via)
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

/* The longest wait of a rank between its last delay-free segment and `step`: the latest waits
 * made it late, so look back over as long a time as the wait that is being explained. */
uint32_t sca_chain_walk_own_wait(const struct sca_chain_walk *w, uint32_t step, double length)
{
    uint32_t best = SCA_NO_EVENT;
    double since = w->replay->enter[step] - 4 * length;
    for (uint32_t s = sca_replay_before(w->replay, step);
         s != SCA_NO_EVENT && sca_replay_exit(w->replay, s) > since;
         s = sca_replay_before(w->replay, s))
        if (sca_replay_waited(w->replay, s) > SCA_NO_TIME &&
            (best == SCA_NO_EVENT ||
             sca_replay_waited(w->replay, s) > sca_replay_waited(w->replay, best)))
            best = s;
    return best != SCA_NO_EVENT && sca_replay_waited(w->replay, best) >= SCA_SUBSTANTIAL * length
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
static uint32_t send_vertex(const struct sca_chain_walk *w, uint32_t receive, uint32_t send)
{
    struct sca_workspace scratch = {.out_of_memory = w->space->out_of_memory};
    struct sca_messages messages;
    if (sca_messages_between(&scratch.arena, w->m->run, sca_replay_rank(w->replay, send),
                             sca_replay_rank(w->replay, receive), &messages))
        longjmp(*w->space->out_of_memory, 1);
    uint32_t vertex =
        usual_sender(&messages, sca_chain_walk_vertex(w, receive), sca_chain_walk_vertex(w, send));
    sca_workspace_free(&scratch);
    return vertex;
}

uint32_t sca_chain_walk_hop(struct sca_chain_walk *w, uint32_t step)
{
    uint32_t by = w->replay->waited_for[step];
    bool collective =
        sca_replay_is_collective(w->replay, step) && sca_replay_is_collective(w->replay, by);
    uint32_t vertex = collective ? sca_chain_walk_vertex(w, by) : send_vertex(w, step, by);
    sca_chain_walk_add(w, vertex, sca_replay_rank(w->replay, by),
                       collective ? "collective" : "p2p");
    return by;
}

/* Down into what is to blame: over data to the first loop or branch around it that does not hold
 * the call we come from, over control from there on. Loops that do not communicate are its own
 * nest, and told with its place. */
void sca_chain_walk_descend(struct sca_chain_walk *w, uint32_t vertex)
{
    const struct sca_ppg *ppg = w->m->ppg;
    const struct sca_chain_step last = w->chain->steps[w->chain->count - 1];
    uint32_t inner[SCA_MOST_DEPTH], n = 0, from = last.vertex, rank = last.rank;
    for (uint32_t v = ppg->vertices[vertex].parent; v && n < SCA_MOST_DEPTH;
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
        sca_chain_walk_add(w, inner[--n], rank, via);
        via = "control";
    }
    sca_chain_walk_add(w, vertex, rank, via);
}

/* A chain leaves its process without the addresses of words. */
void sca_chain_walk_share(struct sca_chain_walk *w, uint32_t from)
{
    static const char *const words[] = {"", "p2p", "collective", "data", "control"};
    enum { WORDS = sizeof words / sizeof *words };
    struct {
        uint32_t vertex, rank, via;
    } steps[SCA_MOST_CHAIN];
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
