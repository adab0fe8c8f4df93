/*
 * A master and its workers: all tasks take the workers as long as they compute between the calls in
 * which they talk to the master, and the master as long as it computes between its own. They fit
 * where each worker is asked for its next task as it ends one: as many workers as one is of the
 * other (E. Cesar et al., Parallel Computing 32, 2006, without the time of messages). Fewer are no
 * fault: a master whose workers are busy has little to do, and its core is the price of the
 * pattern.
 */
#include "advice/advice.h"
#include "activity/rank_roles.h"
#include "activity/rank_summary.h"

#include <math.h>

enum { CLEARLY = 130 }; /* percent of what fits */

struct serving {
    uint32_t master, nworkers;
    double master_s, workers_s; /* computation between calls with messages */
};

/* Between two calls that exchange messages with others. */
static double work_of(const struct sca_advice_input *in, uint32_t r, bool *talks)
{
    const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_PEERS | SCA_OPEN_INTERVALS);
    double seconds = 0;
    for (uint32_t s = 0; s < in->run->profile->nsites; s++)
        talks[s] = false;
    for (uint32_t i = 0; i < rank->npeers; i++)
        talks[rank->peers[i].site] |= rank->peers[i].count > 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        if (talks[v->previous] && talks[v->site])
            seconds += 1e-9 * (double)(v->cpu_ns + v->blocked_ns);
    }
    return seconds;
}

static bool find(const struct sca_advice_input *in, struct serving *s, double *is_worker)
{
    struct sca_workspace *space = in->c->space;
    struct sca_task_source source = {in->c->ppg, in->run, NULL, in->opened, in->c->ends, NULL};
    struct sca_rank_peers peers;
    source.summary = sca_rank_summary_of(space, &source);
    sca_rank_peers_find(space, &source, &peers);
    const enum sca_rank_role *roles = sca_rank_roles_find(space, &source, &peers);
    bool *talks = sca_workspace_alloc(space, in->run->profile->nsites, sizeof *talks);
    *s = (struct serving){.master = SCA_NONE};
    for (uint32_t r = 0; r < in->run->nranks; r++) {
        if (roles[r] == SCA_ROLE_MASTER) {
            s->master = r;
            s->master_s = work_of(in, r, talks);
        } else if (roles[r] == SCA_ROLE_WORKER) {
            s->nworkers++;
            s->workers_s += work_of(in, r, talks);
            is_worker[r] = 1;
        }
    }
    return s->master != SCA_NONE && s->nworkers && s->master_s > 0 && s->workers_s > 0;
}

/* The call in which the master waits for workers: the one with most messages received. */
static uint32_t receive_of(const struct sca_advice_input *in, uint32_t master)
{
    const struct sca_rank *rank = sca_rank_open(in->opened, master, SCA_OPEN_PEERS);
    uint64_t *count = sca_workspace_alloc(in->c->space, in->c->ppg->nvertices, sizeof *count);
    uint32_t best = 0;
    for (uint32_t i = 0; i < rank->npeers; i++) {
        uint32_t v = in->run->site_vertex[rank->peers[i].site];
        if (v == SCA_NONE || rank->peers[i].direction != SCA_RECEIVED)
            continue;
        count[v] += rank->peers[i].count;
        best = count[v] > count[best] ? v : best;
    }
    return best;
}

static void add_too_many(const struct sca_advice_input *in, struct sca_advices *out,
                         const struct serving *s, double fit, uint32_t vertex, double *is_worker)
{
    double duration = in->c->accounts[in->c->last].base / in->run->nranks;
    double needed = ceil(fit);
    const struct sca_advice advice = {
        .kind = SCA_ADVICE_TOO_MANY_WORKERS,
        .vertex = vertex,
        .gain = (s->nworkers - needed) * duration,
        .text = sca_advice_text(in,
                                "The master, rank %u, computes %.3g s for its %u workers, and they "
                                "%.3g s in all: it keeps %.0f busy. Give it less to do for each "
                                "task, or take %.0f workers.",
                                s->master, s->master_s, s->nworkers, s->workers_s, needed, needed)};
    sca_advice_add(in, out, &advice, is_worker);
}

void sca_advice_workers(const struct sca_advice_input *in, struct sca_advices *out)
{
    double *is_worker = sca_workspace_alloc(in->c->space, in->run->nranks, sizeof *is_worker);
    struct serving s;
    if (!find(in, &s, is_worker))
        return;
    double fit = s.workers_s / s.master_s;
    uint32_t vertex = receive_of(in, s.master);
    if (100.0 * s.nworkers > CLEARLY * fit)
        add_too_many(in, out, &s, fit, vertex, is_worker);
}
