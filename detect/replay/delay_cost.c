#include "replay/delay_cost.h"
#include "replay/delay.h"
#include "replay/rank_idle.h"

#include <math.h>

static const double tiny = 1e-12;

struct pricing {
    const struct sca_measure *m;
    const struct sca_replay *replay;
    struct sca_costs *costs;
    struct sca_delays delays;
    double *carried;    /* per event: later waits of others that its own wait has caused */
    const double *idle; /* per event: what of its wait its rank loses; NULL: all */
};

/* Hands the part of a wait that the delaying rank had itself waited for to those waits. */
static void carry(struct pricing *p, const struct sca_delay *d, double amount)
{
    uint32_t event = d->by;
    double part;
    while ((part = sca_delay_next_wait(&p->delays, d, &event)) > 0)
        p->carried[event] += amount * part / (d->computed + d->waited);
}

/* `direct`: the part that is a wait for this rank, not one that came by over others. */
static void charge(struct pricing *p, uint32_t rank, double per_second, double direct)
{
    for (uint32_t i = 0; i < p->delays.ntouched && p->costs->of; i++) {
        uint32_t v = p->delays.touched[i];
        size_t cell = (size_t)v * p->m->nranks + rank;
        if (p->delays.surplus[v] <= 0)
            continue;
        p->costs->of[cell] += p->delays.surplus[v] * per_second;
        p->costs->direct_of[cell] += p->delays.surplus[v] * per_second * direct;
    }
}

/* `computed` is the part of the wait that computation of the rank waited for explains, `handed_on`
 * the part that its own waits do. */
static void book_site(struct pricing *p, uint32_t event, double own, double computed,
                      double handed_on)
{
    const struct sca_replay *replay = p->replay;
    uint32_t v = sca_wait_state_vertex(p->m->run, sca_replay_event(replay, event));
    if (own <= tiny)
        return;
    enum sca_wait_class kind = sca_wait_state_classify(replay, p->m->run, event);
    double weight = replay->trace->weight;
    if (p->costs->waited.rows)
        sca_wait_rows_add(&p->costs->waited, v == SCA_NONE ? 0 : v, kind,
                          sca_replay_rank(replay, event), own * weight);
    if (v == SCA_NONE)
        return;
    struct sca_site_wait *site = &p->costs->sites[(size_t)v * SCA_WAIT_CLASSES + kind];
    site->count += weight;
    site->seconds += own * weight;
    site->direct += own * computed * weight;
    site->indirect += own * handed_on * weight;
}

/* Prices one wait and what it caused in turn. */
static void price(struct pricing *p, uint32_t event)
{
    struct sca_delay d;
    double weight = p->replay->trace->weight;
    if (!sca_delay_find(&p->delays, event, &d))
        return;
    d.own = p->idle ? p->idle[event] : d.own;
    double amount = d.own + p->carried[event];
    if (amount <= tiny)
        return;
    sca_delay_explain(&p->delays, event, &d);
    double all = d.computed + d.waited;
    if (!d.explained) {
        p->costs->unexplained += amount * weight;
        book_site(p, event, d.own, 0, 0);
        return;
    }
    charge(p, d.rank, amount / all * weight, d.own / amount);
    book_site(p, event, d.own, d.computed / all, d.waited / all);
    carry(p, &d, amount);
}

void sca_delay_cost_open(struct sca_workspace *space, const struct sca_measure *m, bool detail,
                         struct sca_costs *out)
{
    *out = (struct sca_costs){0};
    size_t nv = m->ppg->nvertices;
    if (detail) {
        out->of = sca_workspace_alloc(space, nv * m->nranks, sizeof *out->of);
        out->direct_of = sca_workspace_alloc(space, nv * m->nranks, sizeof *out->direct_of);
        sca_wait_rows_open(space, m->ppg->nvertices, m->nranks, &out->waited);
    }
    out->sites = sca_workspace_alloc(space, nv * SCA_WAIT_CLASSES, sizeof *out->sites);
}

static void add(struct sca_workspace *space, const struct sca_measure *m,
                const struct sca_replay *replay, struct sca_costs *costs)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct pricing p = {.m = m, .replay = replay, .costs = costs};
    sca_delay_open(&scratch, m, replay, &p.delays);
    p.carried = sca_workspace_alloc(&scratch, replay->trace->nevents, sizeof *p.carried);
    struct sca_rank_idle idle = sca_rank_idle_find(&scratch, replay);
    p.idle = idle.of;
    costs->waits += idle.sum * replay->trace->weight;
    for (uint32_t i = replay->trace->nevents; i-- > 0;)
        price(&p, replay->order[i]);
    sca_workspace_free(&scratch);
}

void sca_delay_cost_find(struct sca_workspace *space, const struct sca_measure *m,
                         const struct sca_replay *replays, uint32_t n, struct sca_costs *costs)
{
    for (uint32_t i = 0; i < n; i++)
        add(space, m, &replays[i], costs);
}

void sca_delay_cost_sum(struct sca_team *team, const struct sca_measure *m, struct sca_costs *costs)
{
    size_t nv = m->ppg->nvertices, of_site = sizeof *costs->sites / sizeof(double);
    double sums[] = {costs->waits, costs->unexplained};
    sca_team_sum(team, sums, 2);
    costs->waits = sums[0];
    costs->unexplained = sums[1];
    if (costs->of) {
        sca_team_sum_sparse(team, costs->of, nv * m->nranks);
        sca_team_sum_sparse(team, costs->direct_of, nv * m->nranks);
        sca_wait_rows_sum(team, &costs->waited);
    }
    sca_team_sum_sparse(team, &costs->sites->count, nv * SCA_WAIT_CLASSES * of_site);
}

void sca_delay_cost_add_other_world(const struct sca_measure *m, struct sca_costs *costs)
{
    uint32_t nsites = m->run->profile->nsites;
    for (size_t i = 0; m->other_world.per_call && i < (size_t)m->nranks * nsites; i++) {
        uint32_t rank = (uint32_t)(i / nsites), v = m->run->site_vertex[i % nsites];
        if (v == SCA_NONE || m->other_world.seconds[i] <= 0)
            continue;
        struct sca_site_wait *site =
            &costs->sites[(size_t)v * SCA_WAIT_CLASSES + SCA_WAIT_OTHER_WORLD];
        site->count += m->other_world.calls[i];
        site->seconds += m->other_world.seconds[i];
        if (costs->waited.rows)
            sca_wait_rows_add(&costs->waited, v, SCA_WAIT_OTHER_WORLD, rank,
                              m->other_world.seconds[i]);
    }
}
