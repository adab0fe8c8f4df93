#include "imbalance/interval_known.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

/* What equalising a finding of an interval takes from those ranks. */
static double explained_between(const struct sca_line_search *s, const struct sca_finding *c,
                                const struct sca_abnormal *a)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    const double *there = sca_interval_bounds_measure(s->space, s->m, &bounds).seconds;
    double seconds = 0;
    for (uint32_t k = 0; k < a->nranks; k++)
        seconds += (1 - c->transform.factor[a->ranks[k]]) * there[a->ranks[k]];
    return seconds;
}

/* What equalising a finding takes from those ranks in the interval. */
static double taken_there(const struct sca_line_search *s, const struct sca_finding *c,
                          const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    const bool *on = sca_interval_bounds_mark(s->space, s->m, bounds);
    double seconds = 0;
    for (uint32_t interval = 0; interval < s->m->run->intervals.n; interval++)
        for (uint32_t k = 0; k < a->nranks && on[interval]; k++)
            seconds += (1 - c->transform.factor[a->ranks[k]]) *
                       sca_measure_part_in(s->m, s->ends, c->vertices, c->nvertices, a->ranks[k],
                                           interval);
    return seconds;
}

/* Of what is shared out evenly equalising takes a part of the excess, of all of which the interval
 * has as much. */
static double excess_for_taken(const struct sca_line_search *s, const struct sca_finding *c)
{
    double all = 0;
    if (!sca_finding_has(c, SCA_EVIDENCE_SKEWED))
        return 1;
    for (uint32_t k = 0; k < c->nranks; k++)
        all += (1 - c->transform.factor[c->ranks[k]]) *
               sca_measure_place_seconds(s->m, c->vertices, c->nvertices, c->ranks[k]);
    return all > 0 ? c->excess / all : 1;
}

static bool on_the_same_ranks(const struct sca_finding *c, const struct sca_abnormal *a)
{
    return c->nranks == a->nranks && !memcmp(c->ranks, a->ranks, a->nranks * sizeof *a->ranks);
}

/* Whether a finding named for a loop around MPI calls is late for that interval: by what goes
 * there when it is equalised, or as the interval has as much of an excess. */
static bool lies_in(const struct sca_line_search *s, const struct sca_finding *c, uint32_t after,
                    const struct sca_abnormal *a, double part)
{
    if (!sca_named_place_calls_mpi(s->m->ppg, s->ends, c->vertex))
        return false;
    bool inside = after > c->vertex && after < s->ends[c->vertex] && on_the_same_ranks(c, a);
    return part >= SCA_MOST * c->excess || (inside && a->excess >= SCA_MOST * c->excess);
}

/* How much of the interval's excess the finding has. */
static double part_of(const struct sca_line_search *s, const struct sca_finding *c,
                      const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    bool any = bounds->before == SCA_NONE;
    if (sca_finding_is_interval(c))
        return c->interval.after == bounds->after && (any || c->interval.before == bounds->before)
                   ? explained_between(s, c, a)
                   : 0;
    return sca_finding_rotates(c) ? 0 : taken_there(s, c, bounds, a) * excess_for_taken(s, c);
}

struct sca_interval_known sca_interval_known_ask(const struct sca_line_search *s,
                                                 const struct sca_finding_list *open,
                                                 const struct sca_interval_bounds *bounds,
                                                 const struct sca_abnormal *a)
{
    struct sca_interval_known known = {.by = SCA_NONE};
    double most = 0;
    for (uint32_t i = 0; i < open->count; i++) {
        const struct sca_finding *c = open->items[i];
        double part = part_of(s, c, bounds, a);
        if (!sca_finding_rotates(c) && !sca_finding_is_interval(c) &&
            lies_in(s, c, bounds->after, a, part)) {
            known.late = c;
            return known;
        }
        known.explained += part;
        known.by = part > most ? c->number : known.by;
        most = fmax(most, part);
    }
    return known;
}

/* What the named ranks have too much, by place in the source without what is below: there, and in
 * the whole run. */
struct too_much {
    double *there, *in_all;
};

static double beyond_others(const struct sca_line_search *s, const struct sca_abnormal *a,
                            double named, double all)
{
    uint32_t nothers = s->m->npresent - a->nranks;
    return nothers ? named - (all - named) * a->nranks / nothers : 0;
}

/* Adds a rank's seconds there by vertex. */
static void add_rank(const struct sca_line_search *s, const bool *on, uint32_t rank, double *there)
{
    for (uint32_t interval = 0; interval < s->m->run->intervals.n; interval++)
        if (on[interval])
            sca_measure_add_in(s->m, rank, interval, there);
}

/* At a vertex, in the whole run. */
static double beyond_in_all(const struct sca_line_search *s, const struct sca_abnormal *a,
                            uint32_t vertex)
{
    const double *row = &s->m->run->comp[(size_t)vertex * s->m->nranks];
    double named = 0;
    for (uint32_t k = 0; k < a->nranks; k++)
        named += row[a->ranks[k]];
    return beyond_others(s, a, named, sca_over_ranks_sum(row, s->m->nranks));
}

/* Of places that the interval has anything of. */
static struct too_much compare(const struct sca_line_search *s,
                               const struct sca_interval_bounds *bounds,
                               const struct sca_abnormal *a)
{
    uint32_t nv = s->m->ppg->nvertices;
    const bool *on = sca_interval_bounds_mark(s->space, s->m, bounds);
    const uint32_t *place = sca_same_place_find(s->space, s->m->ppg);
    double *named = sca_workspace_alloc(s->space, nv, sizeof *named),
           *all = sca_workspace_alloc(s->space, nv, sizeof *all);
    bool *is_there = sca_workspace_alloc(s->space, nv, sizeof *is_there);
    struct too_much x = {sca_workspace_alloc(s->space, nv, sizeof(double)),
                         sca_workspace_alloc(s->space, nv, sizeof(double))};
    for (uint32_t k = 0; k < a->nranks; k++)
        add_rank(s, on, a->ranks[k], named);
    for (uint32_t r = 0; r < s->m->nranks; r++)
        add_rank(s, on, r, all);
    for (uint32_t v = 0; v < nv; v++) {
        x.there[place[v]] += beyond_others(s, a, named[v], all[v]);
        is_there[place[v]] |= all[v] > 0;
    }
    for (uint32_t v = 0; v < nv; v++)
        x.in_all[place[v]] += is_there[place[v]] ? beyond_in_all(s, a, v) : 0;
    return x;
}

double sca_interval_known_in_all(const struct sca_line_search *s,
                                 const struct sca_interval_bounds *bounds,
                                 const struct sca_abnormal *a)
{
    struct too_much x = compare(s, bounds, a);
    double excess = 0;
    for (uint32_t v = 0; v < s->m->ppg->nvertices; v++)
        excess += fmin(x.there[v], fmax(0, x.in_all[v]));
    return excess;
}
