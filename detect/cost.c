#include "cost.h"
#include "links.h"

#include <math.h>

enum { MOST_STEPS_BACK = 4096 }; /* in search of the last synchronisation: bounds the search */

#define SKEW 0.05 /* of a wait: so far apart two ranks may be where its account begins */

static const double tiny = 1e-12;

struct pricing {
    const struct sca_measure *m;
    const struct sca_replay *replay;
    const struct sca_replay_links *links;
    struct sca_costs *costs;
    double *carried; /* per step: later waits of others that its own wait has caused */
    double *surplus; /* per vertex: the delaying rank's computation minus the waiting one's */
    uint32_t *touched;
    uint32_t ntouched;
    bool *is_touched;
};

static void add_surplus(struct pricing *p, uint32_t vertex, double seconds)
{
    if (!p->is_touched[vertex]) {
        p->is_touched[vertex] = true;
        p->touched[p->ntouched++] = vertex;
        p->surplus[vertex] = 0;
    }
    p->surplus[vertex] += seconds;
}

/* The computation of a rank after a site, and how much of it the other ranks do not have. */
struct gap_parts {
    const struct sca_ppg_share *shares, *end;
    uint32_t rank;
    double seconds, extra;
};

static double extra_of(const struct pricing *p, const struct gap_parts *g,
                       const struct sca_ppg_share *share)
{
    double own = p->m->run->comp[(size_t)share->vertex * p->m->nranks + g->rank];
    return own > 0 ? share->seconds * fmax(0, 1 - p->m->median[share->vertex] / own) : 0;
}

static struct gap_parts parts_of(const struct pricing *p, uint32_t rank, size_t gap)
{
    const struct sca_ppg_run *run = p->m->run;
    struct gap_parts g = {run->shares + run->first_share[gap],
                          run->shares + run->first_share[gap + 1], rank, 0, 0};
    for (const struct sca_ppg_share *s = g.shares; s < g.end; s++) {
        g.seconds += s->seconds;
        g.extra += extra_of(p, &g, s);
    }
    return g;
}

/*
 * Spreads `seconds` of one instance of a gap. What the instance has more than those of other ranks
 * consists of what the rank has more than they; the rest, of all other work. Summed over the
 * instances that is again what the shares say.
 */
static void add_parts(struct pricing *p, const struct gap_parts *g, double seconds, double excess,
                      double of_all)
{
    double extra = g->extra / g->seconds, told = fmin(extra, of_all);
    double more = told > 0 ? seconds * excess * told / of_all : 0;
    double rest = (seconds - more) / fmax(1e-9, 1 - told);
    for (const struct sca_ppg_share *s = g->shares; s < g->end; s++) {
        double part = s->seconds / g->seconds;
        double part_extra = told > 0 ? extra_of(p, g, s) / g->extra : 0;
        add_surplus(p, s->vertex, more * part_extra + rest * (part - told * part_extra));
    }
}

/* Spreads `seconds` of the gap before a step over the vertices it is known to consist of. */
static void add_gap(struct pricing *p, uint32_t step, double seconds)
{
    const struct sca_ppg_run *run = p->m->run;
    const struct sca_step *s = sca_replay_step(p->replay, step);
    const float *excess = p->replay->scene->excess;
    uint32_t rank = p->links->rank[step], site = s->previous;
    if (site >= run->profile->nsites)
        return;
    if (s->transfer > 0 && run->site_vertex[site] != SCA_NONE) {
        double inside = seconds * s->transfer / (s->transfer + s->gap);
        add_surplus(p, run->site_vertex[site], inside);
        seconds -= inside;
    }
    size_t gap = (size_t)rank * run->profile->nsites + site;
    struct gap_parts g = parts_of(p, rank, gap);
    if (g.seconds > 0)
        add_parts(p, &g, seconds, s->gap > 0 ? s->excess / s->gap : 0, excess ? excess[gap] : 0);
}

static bool group_has(const struct pricing *p, const struct sca_group *g, uint32_t rank)
{
    uint32_t low = 0, high = g->nmembers;
    while (low < high) { /* members stand by rank */
        uint32_t middle = low + (high - low) / 2;
        if (p->links->rank[p->links->members[g->first + middle]] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->nmembers && p->links->rank[p->links->members[g->first + low]] == rank;
}

/*
 * Whether the ranks stood at the same point of their programs when this step was left, give or take
 * `skew` seconds. A message that had been there for long says nothing: its sender was ahead.
 */
static bool synchronises(const struct pricing *p, uint32_t step, uint32_t other, double skew)
{
    const struct sca_replay_links *links = p->links;
    const struct sca_replay *replay = p->replay;
    for (uint32_t i = links->first_dep[step]; i < links->first_dep[step + 1]; i++)
        if (links->rank[links->dep[i]] == other &&
            replay->exit[step] - replay->enter[links->dep[i]] <= skew)
            return true;
    for (uint32_t i = links->first_group[step]; i < links->first_group[step + 1]; i++)
        if (links->role[i] != SCA_OP_COLLECTIVE_POST &&
            group_has(p, &links->groups[links->group[i]], other))
            return true;
    return false;
}

/* When `rank`, before this step, last left a call at which it met `other`; no earlier than
 * `least`. */
static double last_sync(const struct pricing *p, uint32_t step, uint32_t other, double skew,
                        double least)
{
    uint32_t first = p->replay->scene->first[p->links->rank[step]];
    for (int back = 0; back < MOST_STEPS_BACK && step > first; back++)
        if (p->replay->exit[--step] <= least || synchronises(p, step, other, skew))
            return fmax(least, p->replay->exit[step]);
    return step > first ? fmax(least, p->replay->exit[step]) : least;
}

/*
 * What a rank did between `since` and entering `step`: its computation goes to the surplus with
 * `sign`; returns its waiting. For any `since` the difference of two ranks' computation and
 * waiting is exactly the wait between them; the last synchronisation keeps it short.
 */
static double account_for(struct pricing *p, uint32_t step, double since, double sign)
{
    const struct sca_replay *replay = p->replay;
    uint32_t first = replay->scene->first[p->links->rank[step]];
    double waited = 0;
    for (uint32_t s = step;; s--) {
        double begin = s > first ? replay->exit[s - 1] : 0;
        double computed = replay->enter[s] - fmax(begin, since);
        if (s < step)
            waited += fmax(0, replay->exit[s] - fmax(replay->enter[s], since));
        if (computed > 0)
            add_gap(p, s, sign * computed);
        if (s == first || begin <= since)
            return waited;
    }
}

/* Hands the part of a wait that the delaying rank had itself waited for to those waits. */
static void carry(struct pricing *p, uint32_t step, double since, double waited, double amount)
{
    const struct sca_replay *replay = p->replay;
    uint32_t first = replay->scene->first[p->links->rank[step]];
    for (uint32_t s = step; s > first && replay->exit[s - 1] > since; s--) {
        double part = replay->exit[s - 1] - fmax(replay->enter[s - 1], since);
        if (part > 0)
            p->carried[s - 1] += amount * part / waited;
    }
}

static double positive_surplus(const struct pricing *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->ntouched; i++)
        sum += fmax(0, p->surplus[p->touched[i]]);
    return sum;
}

/* `direct`: the part that is a wait for this rank, not one that came by over others. */
static void charge(struct pricing *p, uint32_t rank, double per_second, double direct)
{
    for (uint32_t i = 0; i < p->ntouched && p->costs->of; i++) {
        uint32_t v = p->touched[i];
        size_t cell = (size_t)v * p->m->nranks + rank;
        if (p->surplus[v] <= 0)
            continue;
        p->costs->of[cell] += p->surplus[v] * per_second;
        p->costs->direct_of[cell] += (float)(p->surplus[v] * per_second * direct);
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

static void forget_surplus(struct pricing *p)
{
    for (uint32_t i = 0; i < p->ntouched; i++)
        p->is_touched[p->touched[i]] = false;
    p->ntouched = 0;
}

/* Prices one wait and what it caused in turn. */
static void price(struct pricing *p, uint32_t step)
{
    const struct sca_replay *replay = p->replay;
    double own = replay->exit[step] - replay->enter[step], amount = own + p->carried[step];
    uint32_t by = replay->waited_for[step];
    if (by == SCA_NO_STEP || amount <= tiny)
        return;
    uint32_t rank = p->links->rank[step], other = p->links->rank[by];
    double since = last_sync(p, step, other, SKEW * own, 0);
    since = fmin(replay->enter[step], last_sync(p, by, rank, SKEW * own, since));
    account_for(p, step, since, -1);
    double others_wait = account_for(p, by, since, 1);
    double computed = positive_surplus(p), all = computed + others_wait;
    if (all <= tiny) {
        p->costs->unexplained += amount * replay->scene->weight;
        book_site(p, step, own, 0, 0);
    } else {
        charge(p, other, amount / all * replay->scene->weight, own / amount);
        book_site(p, step, own, computed / all, others_wait / all);
        if (others_wait > 0)
            carry(p, by, since, others_wait, amount * others_wait / all);
    }
    forget_surplus(p);
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

void sca_costs_add(struct sca_room *room, const struct sca_measure *m,
                   const struct sca_replay *replay, struct sca_costs *costs)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    uint32_t nv = m->ppg->nvertices;
    struct pricing p = {.m = m, .replay = replay, .links = replay->links, .costs = costs};
    p.carried = sca_room_alloc(&scratch, replay->scene->nsteps, sizeof *p.carried);
    p.surplus = sca_room_alloc(&scratch, nv, sizeof *p.surplus);
    p.touched = sca_room_alloc(&scratch, nv, sizeof *p.touched);
    p.is_touched = sca_room_alloc(&scratch, nv, sizeof *p.is_touched);
    costs->waits += replay->waits * replay->scene->weight;
    for (uint32_t i = replay->scene->nsteps; i-- > 0;)
        price(&p, replay->order[i]);
    sca_room_free(&scratch);
}
