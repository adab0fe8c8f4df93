#include "imbalance/interval_line.h"
#include "base/degrees.h"
#include "measure/sides.h"
#include "graph/same_place.h"
#include "findings/named_place.h"
#include "imbalance/category.h"
#include "stats/over_ranks.h"
#include "stats/poisson.h"
#include "stats/rank_correspondence.h"
#include "imbalance/equalising.h"
#include "measure/off_cpu.h"

#include <math.h>

/* Seconds between two calls, with all below, by vertex: of the named ranks together,
 * and of the others. */
struct parts {
    double *named, *others, *excess;
};

static bool is_named(const struct sca_abnormal *a, uint32_t rank)
{
    for (uint32_t i = 0; i < a->nranks; i++)
        if (a->ranks[i] == rank)
            return true;
    return false;
}

static struct parts measure(const struct sca_line_search *s,
                            const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    const bool *on = sca_interval_bounds_mark(s->space, s->m, bounds);
    uint32_t nv = s->m->ppg->nvertices;
    struct parts p = {sca_workspace_alloc(s->space, nv, sizeof(double)),
                      sca_workspace_alloc(s->space, nv, sizeof(double)),
                      sca_workspace_alloc(s->space, nv, sizeof(double))};
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        double *sum = is_named(a, r) ? p.named : p.others;
        for (uint32_t interval = 0; interval < s->m->run->intervals.n; interval++)
            if (on[interval])
                sca_measure_add_in(s->m, r, interval, sum);
    }
    for (uint32_t v = nv; v-- > 1;) {
        p.named[s->m->ppg->vertices[v].parent] += p.named[v];
        p.others[s->m->ppg->vertices[v].parent] += p.others[v];
    }
    return p;
}

/* Seconds that a sample of the named ranks stands for, there. */
static double worth_of_sample(const struct sca_measure *m, uint32_t v, const struct sca_abnormal *a)
{
    double seconds = 0, variance = 0;
    for (uint32_t i = 0; i < a->nranks; i++) {
        seconds += sca_measure_place_seconds(m, &v, 1, a->ranks[i]);
        variance += sca_measure_place_variance(m, &v, 1, a->ranks[i]);
    }
    return seconds > 0 ? variance / seconds : 0;
}

/* As for single ranks (abnormal_ranks.c); the ranks were not chosen by these samples, so only the
 * places count as tries. */
static bool beyond_chance(const struct sca_line_search *s, uint32_t v, const struct sca_abnormal *a,
                          double named, double usual)
{
    double sample = worth_of_sample(s->m, v, a);
    if (sample <= 0)
        return false;
    double found = named / sample, expected = usual / sample + 1;
    return sca_poisson_surprise(found, expected) >= log(s->m->ppg->nvertices / SCA_FALSE_ALARMS);
}

static double usual_of_others(const struct sca_line_search *s, const struct parts *p, uint32_t v,
                              const struct sca_abnormal *a)
{
    return p->others[v] * a->nranks / (s->m->npresent - a->nranks);
}

/* Without a sample of its ranks only those of others would tell the line. */
static bool is_sampled(const struct sca_line_search *s, uint32_t v, const struct sca_abnormal *a,
                       double named, double usual)
{
    return beyond_chance(s, v, a, named, usual) &&
           sca_measure_samples_at(s->m, s->ends, &v, 1, a->ranks, a->nranks) > 0;
}

static bool has_as_much(const struct sca_line_search *s, const struct parts *p, uint32_t v,
                        const struct sca_abnormal *a, double least)
{
    double usual = usual_of_others(s, p, v, a);
    p->excess[v] = p->named[v] - usual;
    return s->m->ppg->vertices[v].kind != SCA_MPI && p->excess[v] >= least &&
           p->named[v] >= s->threshold * usual &&
           !sca_named_place_calls_mpi(s->m->ppg, s->ends, v) &&
           (s->m->ppg->vertices[v].blocks || is_sampled(s, v, a, p->named[v], usual));
}

/* The deepest place with so much of the excess, of several the one with the most; SCA_NONE. */
static uint32_t find(const struct sca_line_search *s, const struct parts *p,
                     const struct sca_abnormal *a, double least)
{
    uint32_t best = SCA_NONE;
    for (uint32_t v = s->m->ppg->nvertices; v-- > 1;) {
        bool around = best != SCA_NONE && best < s->ends[v];
        if (has_as_much(s, p, v, a, least) && !around &&
            (best == SCA_NONE || p->excess[v] > p->excess[best]))
            best = v;
    }
    return best;
}

/* What the others need, and what the named ranks need beyond that. */
static double compare(const struct sca_line_search *s, struct sca_finding *c)
{
    double *row = sca_workspace_alloc(s->space, s->m->nranks, sizeof *row);
    sca_measure_add_place(s->m, c->vertices, c->nvertices, row);
    struct sca_sides sides = sca_sides_of(s->space, s->m, row, c->ranks, c->nranks);
    c->excess = sca_sides_excess(&sides, c->nranks);
    c->ratio = sca_sides_told_ratio(&sides, c->nranks);
    return sides.usual;
}

/* Of the named ranks those that are late for this place. */
static void keep_ranks(const struct sca_line_search *s, const struct parts *p,
                       const struct sca_interval_bounds *bounds, const struct sca_abnormal *a,
                       struct sca_finding *c)
{
    const bool *on = sca_interval_bounds_mark(s->space, s->m, bounds);
    double usual = p->others[c->vertex] / (s->m->npresent - a->nranks);
    c->ranks = sca_workspace_alloc(s->space, a->nranks, sizeof *c->ranks);
    for (uint32_t i = 0; i < a->nranks; i++) {
        double all = 0, here = 0;
        for (uint32_t interval = 0; interval < s->m->run->intervals.n; interval++)
            if (on[interval]) {
                all += sca_measure_seconds_in(s->m, a->ranks[i], interval);
                here += sca_measure_part_in(s->m, s->ends, &c->vertex, 1, a->ranks[i], interval);
            }
        /* a rank with less of the place is late for something else */
        if (here - usual >= SCA_SUBSTANTIAL * (all - a->reference))
            c->ranks[c->nranks++] = a->ranks[i];
    }
}

/* Samples say nothing of time off the core, and nothing else does. */
static bool is_off_cpu(const struct sca_line_search *s, const struct sca_interval_bounds *bounds,
                       const struct sca_abnormal *a)
{
    const double *off = sca_off_cpu_unplaced(s->space, s->m, bounds);
    return sca_over_ranks_sum(off, s->m->nranks) >= SCA_HALF * a->excess;
}

bool sca_interval_line(const struct sca_line_search *s, const struct sca_interval_bounds *bounds,
                       const struct sca_abnormal *a, struct sca_finding *c)
{
    struct parts p = measure(s, bounds, a);
    uint32_t v = find(s, &p, a, SCA_HALF * a->excess), n, *paths;
    if (v == SCA_NONE || is_off_cpu(s, bounds, a))
        return false;
    v = sca_named_place_whole(s->m->ppg, s->ends, p.excess, v);
    *c = (struct sca_finding){.vertex = v,
                              .interval.part = SCA_RANKS_OF_INTERVAL,
                              .interval.after = bounds->after,
                              .interval.before = bounds->before,
                              .interval.any = bounds->before == SCA_NONE};
    n = sca_same_place(s->space, s->m->ppg, v, &paths);
    c->vertices = paths;
    for (uint32_t i = 0; i < n; i++)
        if (p.excess[paths[i]] > 0)
            paths[c->nvertices++] = paths[i];
    keep_ranks(s, &p, bounds, a, c);
    double reference = compare(s, c);
    c->category = sca_category_of(s->space, s->m, s->ends, c);
    sca_equalising_level_to(s->space, s->m, s->ends, c, reference);
    return true;
}

/* Of the named ranks, on the way, at a place and below. */
static double samples_at(const struct sca_line_search *s, const struct sca_interval_bounds *bounds,
                         const struct sca_abnormal *a, uint32_t place)
{
    const struct sca_ppg_run *run = s->m->run;
    const bool *on = sca_interval_bounds_mark(s->space, s->m, bounds);
    double samples = 0;
    for (uint32_t k = 0; k < a->nranks; k++)
        for (uint32_t interval = 0; interval < run->intervals.n; interval++) {
            const uint32_t *first =
                &run->first_share[(size_t)a->ranks[k] * run->intervals.n + interval];
            for (uint32_t i = first[0]; i < first[1] && on[interval]; i++)
                if (run->shares[i].vertex >= place && run->shares[i].vertex < s->ends[place])
                    samples += (double)run->shares[i].samples;
        }
    return samples;
}

/* What another run proves on ranks like these; SCA_NONE. By many samples: of a place that has
 * nearly all of a few the noise is told too low. */
static uint32_t find_in_other(const struct sca_line_search *s, const struct sca_measure *other,
                              const struct sca_interval_bounds *bounds,
                              const struct sca_abnormal *a)
{
    const struct sca_line_search there = {s->space, other, s->ends, s->threshold};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(s->space, other, bounds);
    struct sca_abnormal b;
    if (!sca_interval_bounds_compare(s->space, other, &of) ||
        !sca_abnormal_judge_bounds(s->space, other, bounds, &of, s->threshold, &b) ||
        !sca_rank_correspondence_count(a->ranks, a->nranks, s->m->nranks, b.ranks, b.nranks,
                                       other->nranks) ||
        is_off_cpu(&there, bounds, &b))
        return SCA_NONE;
    struct parts p = measure(&there, bounds, &b);
    uint32_t v = find(&there, &p, &b, SCA_HALF * b.excess);
    return v != SCA_NONE && samples_at(&there, bounds, &b, v) >= SCA_ENOUGH_SAMPLES ? v : SCA_NONE;
}

uint32_t sca_interval_line_again(const struct sca_line_search *s, const struct sca_measure *other,
                                 const struct sca_interval_bounds *bounds,
                                 const struct sca_abnormal *a)
{
    uint32_t v = find_in_other(s, other, bounds, a);
    if (v == SCA_NONE || is_off_cpu(s, bounds, a))
        return SCA_NONE;
    struct parts p = measure(s, bounds, a);
    for (uint32_t i = 0; i < s->m->ppg->nvertices; i++)
        p.excess[i] = p.named[i] - usual_of_others(s, &p, i, a);
    return p.excess[v] < SCA_HALF * a->excess
               ? SCA_NONE
               : sca_named_place_whole(s->m->ppg, s->ends, p.excess, v);
}

/* Beyond what the others have. */
static double excess_off_cpu(const struct sca_line_search *s,
                             const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    const double *off = sca_off_cpu_unplaced(s->space, s->m, bounds);
    struct sca_sides sides = sca_sides_of(s->space, s->m, off, a->ranks, a->nranks);
    return sca_sides_excess(&sides, a->nranks);
}

struct sca_core_time sca_interval_line_core(const struct sca_line_search *s,
                                            const struct sca_interval_bounds *bounds,
                                            const struct sca_abnormal *a)
{
    struct parts p = measure(s, bounds, a);
    struct sca_core_time core = {.vertex = SCA_NONE};
    core.off = fmax(0, fmin(a->excess, excess_off_cpu(s, bounds, a)));
    core.on = a->excess - core.off;
    uint32_t v = find(s, &p, a, SCA_MOST * core.on);
    if (v != SCA_NONE && core.on > 0) {
        core.vertex = sca_named_place_whole(s->m->ppg, s->ends, p.excess, v);
        core.there = fmin(core.on, p.excess[core.vertex]);
    }
    return core;
}
