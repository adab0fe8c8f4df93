#include "explain/delay_blame.h"
#include "replay/delay.h"
#include "replay/rank_idle.h"
#include "replay/wait_state.h"

#include <math.h>

enum { AT_A_TIME = 4 }; /* causes: bounds the memory, which is per step and cause */

struct blaming {
    const struct sca_measure *m;
    const struct sca_replay *replay;
    const struct sca_finding *const *causes; /* those at hand */
    uint32_t n;
    struct sca_delays delays;
    const double *idle;   /* per step: what of its wait its rank loses; NULL: all */
    uint8_t *inside, *on; /* per vertex, per rank: bit i is of cause i */
    double *blamed;       /* per rank: end of the last wait that is blamed on some of them */
    float *part;          /* [step * n + cause] of its wait */
    double *const *waits;
};

static void mark(struct blaming *b, const uint32_t *ends)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const struct sca_finding *c = b->causes[i];
        for (uint32_t k = 0; k < c->nvertices; k++)
            for (uint32_t v = c->vertices[k]; v < ends[c->vertices[k]]; v++)
                b->inside[v] |= (uint8_t)(1 << i);
        for (uint32_t k = 0; k < c->nranks; k++)
            b->on[c->ranks[k]] |= (uint8_t)(1 << i);
    }
}

/* Adds `amount` to the causes whose bits are set. */
static void add(const struct blaming *b, float *part, uint32_t bits, double amount)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (bits >> i & 1)
            part[i] += (float)amount;
}

/* Most waits have nothing to do with the causes at hand: nothing of them is on the rank waited for,
 * nor did it wait because of them since the two last met. */
static bool may_be_theirs(const struct blaming *b, const struct sca_delay *d)
{
    return b->on[d->rank] || b->blamed[d->rank] > d->since;
}

/* A step's parts: of the computation that it waited for, and, over the waits behind it, of theirs,
 * which stand before it in the replay's order. */
static bool share_out(struct blaming *b, uint32_t step, struct sca_delay *d)
{
    float *part = b->part + (size_t)step * b->n, *from;
    uint32_t by;
    double seconds, all;
    if (!sca_delay_find(&b->delays, step, d) || !may_be_theirs(b, d))
        return false;
    sca_delay_explain(&b->delays, step, d);
    if (!d->explained)
        return false;
    all = d->computed + d->waited;
    for (uint32_t i = 0; i < b->delays.ntouched; i++) {
        uint32_t v = b->delays.touched[i];
        add(b, part, b->inside[v] & b->on[d->rank], fmax(0, b->delays.surplus[v]) / all);
    }
    by = d->by;
    while ((seconds = sca_delay_next_wait(&b->delays, d, &by)) > 0) {
        from = b->part + (size_t)by * b->n;
        for (uint32_t i = 0; i < b->n; i++)
            part[i] += (float)(from[i] * seconds / all);
    }
    for (uint32_t i = 0; i < b->n; i++)
        if (part[i] > 0)
            b->blamed[sca_replay_rank(b->replay, step)] = sca_replay_exit(b->replay, step);
    return true;
}

static void blame(struct blaming *b)
{
    const struct sca_replay *replay = b->replay;
    struct sca_delay d;
    for (uint32_t k = 0; k < replay->trace->nevents; k++) {
        uint32_t step = replay->order[k];
        if (!share_out(b, step, &d))
            continue;
        uint32_t v = sca_wait_state_vertex(b->m->run, sca_replay_event(replay, step));
        double lost = (b->idle ? b->idle[step] : d.own) * replay->trace->weight;
        for (uint32_t i = 0; i < b->n && v != SCA_NONE; i++)
            b->waits[i][v] += b->part[(size_t)step * b->n + i] * lost;
    }
}

void sca_delay_blame_add(struct sca_workspace *space, const struct sca_measure *m,
                         const uint32_t *ends, const struct sca_replay *replay,
                         const struct sca_finding *const *causes, uint32_t n, double *const *waits)
{
    for (uint32_t first = 0; first < n; first += AT_A_TIME) {
        struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
        struct blaming b = {.m = m, .replay = replay, .causes = causes + first};
        b.n = n - first < AT_A_TIME ? n - first : AT_A_TIME;
        b.waits = waits + first;
        b.inside = sca_workspace_alloc(&scratch, m->ppg->nvertices, sizeof *b.inside);
        b.on = sca_workspace_alloc(&scratch, m->nranks, sizeof *b.on);
        b.blamed = sca_workspace_alloc(&scratch, m->nranks, sizeof *b.blamed);
        b.part =
            sca_workspace_alloc(&scratch, (size_t)replay->trace->nevents * b.n, sizeof *b.part);
        sca_delay_open(&scratch, m, replay, &b.delays);
        b.idle = sca_rank_idle_find(&scratch, replay).of;
        mark(&b, ends);
        blame(&b);
        sca_workspace_free(&scratch);
    }
}
