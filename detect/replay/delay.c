#include "replay/delay.h"
#include "base/degrees.h"
#include "replay/links.h"

#include <math.h>

enum { MOST_STEPS_BACK = 4096 }; /* in search of the last synchronisation: bounds the search */

static const double tiny = 1e-12;

static inline void add_surplus(struct sca_delays *p, uint32_t vertex, double seconds)
{
    if (!p->is_touched[vertex]) {
        p->is_touched[vertex] = true;
        p->touched[p->ntouched++] = vertex;
        p->surplus[vertex] = 0;
    }
    p->surplus[vertex] += seconds;
}

/* The computation of a rank in an interval, and how much of it the other ranks do not have. */
struct interval_parts {
    const struct sca_ppg_share *shares, *end;
    uint32_t rank;
    double seconds, extra;
};

static double extra_of(const struct sca_delays *p, const struct interval_parts *g,
                       const struct sca_ppg_share *share)
{
    double own = p->m->run->comp[(size_t)share->vertex * p->m->nranks + g->rank];
    return own > 0 ? share->seconds * fmax(0, 1 - p->m->median[share->vertex] / own) : 0;
}

static struct interval_parts parts_of(const struct sca_delays *p, uint32_t rank, size_t interval)
{
    const struct sca_ppg_run *run = p->m->run;
    struct interval_parts g = {run->shares + run->first_share[interval],
                               run->shares + run->first_share[interval + 1], rank, 0, 0};
    for (const struct sca_ppg_share *s = g.shares; s < g.end; s++) {
        g.seconds += s->seconds;
        g.extra += extra_of(p, &g, s);
    }
    return g;
}

/*
 * Spreads `seconds` of one instance of an interval. What the instance has more than those of other
 * ranks consists of what the rank has more than they; the rest, of all other work. Summed over the
 * instances that is again what the shares say.
 */
static void add_parts(struct sca_delays *p, const struct interval_parts *g, double seconds,
                      double excess, double of_all)
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

/* Where no instance is known to have more than others it consists of what all have. Most do: this
 * is asked for a million times of a run on a hundred ranks. */
static void add_alike(struct sca_delays *p, size_t interval, double seconds)
{
    const struct sca_ppg_run *run = p->m->run;
    const struct sca_ppg_share *shares = run->shares + run->first_share[interval];
    const struct sca_ppg_share *end = run->shares + run->first_share[interval + 1];
    double sum = 0;
    for (const struct sca_ppg_share *s = shares; s < end; s++)
        sum += s->seconds;
    for (const struct sca_ppg_share *s = shares; s < end && sum > 0; s++)
        add_surplus(p, s->vertex, s->seconds * (seconds / sum));
}

/* Spreads `seconds` of the interval before a rank's event over the vertices it is known to consist
 * of. */
static void add_interval(struct sca_delays *p, uint32_t rank, uint32_t event, double seconds)
{
    const struct sca_ppg_run *run = p->m->run;
    const struct sca_event_sequence *sequence = &p->replay->trace->sequences[rank];
    uint32_t index = sca_replay_place(p->replay, rank, event);
    const struct sca_trace_event s = sca_trace_event_of(sequence, index);
    const float *excess = p->replay->excess;
    double own = sca_replay_seconds(p->replay, rank, index);
    double more = sca_replay_excess(p->replay, rank, index);
    double transfer = sca_transfer_of(sequence, index);
    uint32_t number = sca_intervals_number(&run->intervals, s.previous, s.site);
    if (number == SCA_NONE)
        return;
    if (transfer > 0 && run->site_vertex[s.previous] != SCA_NONE) {
        double inside = seconds * transfer / (transfer + own);
        add_surplus(p, run->site_vertex[s.previous], inside);
        seconds -= inside;
    }
    size_t interval = (size_t)rank * run->intervals.n + number;
    double of_all = excess ? excess[interval] : 0;
    if (of_all <= 0) {
        add_alike(p, interval, seconds);
        return;
    }
    struct interval_parts g = parts_of(p, rank, interval);
    if (g.seconds > 0)
        add_parts(p, &g, seconds, own > 0 ? more / own : 0, of_all);
}

/* The rank's event in a collective, SCA_NO_EVENT if it has none. */
static uint32_t member_of(const struct sca_delays *p, const struct sca_group *g, uint32_t rank)
{
    const uint32_t *members = p->links->members + g->first;
    uint32_t low = 0, high = g->nmembers;
    while (low < high) { /* members stand by rank */
        uint32_t middle = low + (high - low) / 2;
        if (sca_links_rank(p->links, members[middle]) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < g->nmembers && sca_links_rank(p->links, members[low]) == rank;
    return found ? members[low] : SCA_NO_EVENT;
}

/* The root of a reduction leaves it after who only handed something in, and who takes what the root
 * hands out may come long after it. Of a collective that had only to be begun by the others nothing
 * is known but that. */
static bool met_in_group(const struct sca_delays *p, const struct sca_group *g, uint8_t kind,
                         uint32_t event, uint32_t other, double skew)
{
    const struct sca_replay *replay = p->replay;
    uint32_t there = kind == SCA_OP_COLLECTIVE_POST ? SCA_NO_EVENT : member_of(p, g, other);
    if (there == SCA_NO_EVENT)
        return false;
    double left = kind == SCA_OP_COLLECTIVE ? sca_replay_exit(replay, there) : replay->enter[there];
    return fabs(sca_replay_exit(replay, event) - left) <= skew;
}

/*
 * Whether the ranks stood at the same point of their programs when this event was left, give or
 * take `skew` seconds. A message that had been there for long says nothing: its sender was ahead.
 */
static bool synchronises(const struct sca_delays *p, uint32_t event, uint32_t other, double skew)
{
    const struct sca_replay_links *links = p->links;
    const struct sca_replay *replay = p->replay;
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++) {
        uint32_t input = links->input[i];
        bool met = sca_input_is_collective(links->kind[i])
                       ? met_in_group(p, &links->groups[input], links->kind[i], event, other, skew)
                       : sca_replay_exit(replay, event) - replay->enter[input] <= skew &&
                             sca_links_rank(links, input) == other;
        if (met)
            return true;
    }
    return false;
}

/* fmax() is a call of the library, and these are asked for at every event. No NaN comes here. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* When `rank`, before this event, last left a call at which it met `other`; no earlier than
 * `least`. */
static double last_sync(const struct sca_delays *p, uint32_t event, uint32_t other, double skew,
                        double least)
{
    uint32_t before = sca_replay_before(p->replay, event);
    for (int back = 0; back < MOST_STEPS_BACK && before != SCA_NO_EVENT; back++) {
        event = before;
        if (sca_replay_exit(p->replay, event) <= least || synchronises(p, event, other, skew))
            return later(least, sca_replay_exit(p->replay, event));
        before = sca_replay_before(p->replay, event);
    }
    return before != SCA_NO_EVENT ? later(least, sca_replay_exit(p->replay, event)) : least;
}

/*
 * What a rank did between `since` and entering `event`: its computation goes to the surplus with
 * `sign`; returns its waiting. For any `since` the difference of two ranks' computation and
 * waiting is exactly the wait between them; the last synchronisation keeps it short.
 */
static double account_for(struct sca_delays *p, uint32_t event, double since, double sign)
{
    const struct sca_replay *replay = p->replay;
    uint32_t rank = sca_replay_rank(replay, event);
    double waited = 0;
    for (uint32_t s = event, before;; s = before) {
        before = sca_replay_before(replay, s);
        double begin = before != SCA_NO_EVENT ? sca_replay_exit(replay, before) : 0;
        double computed = replay->enter[s] - later(begin, since);
        if (s != event)
            waited += later(0, sca_replay_exit(replay, s) - later(replay->enter[s], since));
        if (computed > 0)
            add_interval(p, rank, s, sign * computed);
        if (before == SCA_NO_EVENT || begin <= since)
            return waited;
    }
}

static double positive_surplus(const struct sca_delays *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->ntouched; i++)
        sum += fmax(0, p->surplus[p->touched[i]]);
    return sum;
}

static void forget_surplus(struct sca_delays *p)
{
    for (uint32_t i = 0; i < p->ntouched; i++)
        p->is_touched[p->touched[i]] = false;
    p->ntouched = 0;
}

void sca_delay_turn_to(struct sca_delays *delays, const struct sca_replay *replay)
{
    delays->replay = replay;
    delays->links = replay->links;
}

void sca_delay_open(struct sca_workspace *space, const struct sca_measure *m,
                    const struct sca_replay *replay, struct sca_delays *out)
{
    uint32_t nv = m->ppg->nvertices;
    *out = (struct sca_delays){.m = m};
    sca_delay_turn_to(out, replay);
    out->surplus = sca_workspace_alloc(space, nv, sizeof *out->surplus);
    out->touched = sca_workspace_alloc(space, nv, sizeof *out->touched);
    out->is_touched = sca_workspace_alloc(space, nv, sizeof *out->is_touched);
}

bool sca_delay_find(struct sca_delays *p, uint32_t event, struct sca_delay *out)
{
    const struct sca_replay *replay = p->replay;
    double own = sca_replay_exit(replay, event) - replay->enter[event];
    uint32_t by = replay->waited_for[event];
    if (by == SCA_NO_EVENT || own <= tiny)
        return false;
    uint32_t rank = sca_replay_rank(replay, event), other = sca_replay_rank(replay, by);
    /* accounts of two ranks begin almost at the same time */
    double since = last_sync(p, event, other, SCA_NEGLIGIBLE * own, 0);
    since = fmin(replay->enter[event], last_sync(p, by, rank, SCA_NEGLIGIBLE * own, since));
    *out = (struct sca_delay){.own = own, .by = by, .rank = other, .since = since};
    return true;
}

void sca_delay_explain(struct sca_delays *p, uint32_t event, struct sca_delay *delay)
{
    forget_surplus(p);
    account_for(p, event, delay->since, -1);
    delay->waited = account_for(p, delay->by, delay->since, 1);
    delay->computed = positive_surplus(p);
    delay->explained = delay->computed + delay->waited > tiny;
}

double sca_delay_next_wait(const struct sca_delays *p, const struct sca_delay *d, uint32_t *event)
{
    const struct sca_replay *replay = p->replay;
    uint32_t s = sca_replay_before(replay, *event);
    for (; s != SCA_NO_EVENT && sca_replay_exit(replay, s) > d->since;
         s = sca_replay_before(replay, s)) {
        double part = sca_replay_exit(replay, s) - later(replay->enter[s], d->since);
        if (part > 0) {
            *event = s;
            return part;
        }
    }
    return 0;
}
