#include "replay/delay_cost.h"
#include "replay/delay.h"

#include <math.h>

static const double tiny = 1e-12;

struct pricing {
    const struct sca_measure *m;
    const struct sca_replay *replay;
    struct sca_costs *costs;
    struct sca_delays delays;
    double *carried; /* per step: later waits of others that its own wait has caused */
};

/* Hands the part of a wait that the delaying rank had itself waited for to those waits. */
static void carry(struct pricing *p, const struct sca_delay *d, double amount)
{
    uint32_t step = d->by;
    double part;
    while ((part = sca_delay_next_wait(&p->delays, d, &step)) > 0)
        p->carried[step] += amount * part / (d->computed + d->waited);
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
static void book_site(struct pricing *p, uint32_t step, double own, double computed,
                      double handed_on)
{
    const struct sca_replay *replay = p->replay;
    uint32_t v = sca_wait_vertex(p->m->run, sca_replay_step(replay, step));
    if (v == SCA_NONE || own <= tiny)
        return;
    enum sca_wait_class kind = sca_wait_classify(replay, p->m->run, step);
    struct sca_site_wait *site = &p->costs->sites[(size_t)v * SCA_WAIT_CLASSES + kind];
    double weight = replay->scene->weight;
    site->count += weight;
    site->seconds += own * weight;
    site->direct += own * computed * weight;
    site->indirect += own * handed_on * weight;
}

/* Prices one wait and what it caused in turn. */
static void price(struct pricing *p, uint32_t step)
{
    struct sca_delay d;
    double weight = p->replay->scene->weight;
    if (!sca_delay_find(&p->delays, step, &d))
        return;
    sca_delay_explain(&p->delays, step, &d);
    double amount = d.own + p->carried[step], all = d.computed + d.waited;
    if (!d.explained) {
        p->costs->unexplained += amount * weight;
        book_site(p, step, d.own, 0, 0);
        return;
    }
    charge(p, d.rank, amount / all * weight, d.own / amount);
    book_site(p, step, d.own, d.computed / all, d.waited / all);
    carry(p, &d, amount);
}

void sca_costs_open(struct sca_room *room, const struct sca_measure *m, bool detail,
                    struct sca_costs *out)
{
    *out = (struct sca_costs){0};
    size_t nv = m->ppg->nvertices;
    if (detail) {
        out->of = sca_room_alloc(room, nv * m->nranks, sizeof *out->of);
        out->direct_of = sca_room_alloc(room, nv * m->nranks, sizeof *out->direct_of);
    }
    out->sites = sca_room_alloc(room, nv * SCA_WAIT_CLASSES, sizeof *out->sites);
}

static void add(struct sca_room *room, const struct sca_measure *m, const struct sca_replay *replay,
                struct sca_costs *costs)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct pricing p = {.m = m, .replay = replay, .costs = costs};
    sca_delays_open(&scratch, m, replay, &p.delays);
    p.carried = sca_room_alloc(&scratch, replay->scene->nsteps, sizeof *p.carried);
    costs->waits += replay->waits * replay->scene->weight;
    for (uint32_t i = replay->scene->nsteps; i-- > 0;)
        price(&p, replay->order[i]);
    sca_room_free(&scratch);
}

void sca_costs_find(struct sca_room *room, const struct sca_measure *m,
                    const struct sca_replay *replays, uint32_t n, struct sca_costs *costs)
{
    for (uint32_t i = 0; i < n; i++)
        add(room, m, &replays[i], costs);
}

void sca_costs_sum(struct sca_team *team, const struct sca_measure *m, struct sca_costs *costs)
{
    size_t nv = m->ppg->nvertices, of_site = sizeof *costs->sites / sizeof(double);
    double sums[] = {costs->waits, costs->unexplained};
    sca_team_sum(team, sums, 2);
    costs->waits = sums[0];
    costs->unexplained = sums[1];
    if (costs->of) {
        sca_team_sum_sparse(team, costs->of, nv * m->nranks);
        sca_team_sum_sparse(team, costs->direct_of, nv * m->nranks);
    }
    sca_team_sum_sparse(team, &costs->sites->count, nv * SCA_WAIT_CLASSES * of_site);
}
