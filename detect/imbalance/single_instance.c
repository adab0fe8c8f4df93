#include "imbalance/single_instance.h"
#include "base/degrees.h"
#include "measure/sides.h"
#include "stats/over_ranks.h"

#include <math.h>

struct instances { /* of the intervals of a rank that hold the finding */
    uint64_t count;
    double seconds;
};

static bool holds(const struct sca_measure *m, const uint32_t *ends, const struct sca_finding *c,
                  uint32_t rank, uint32_t previous, uint32_t site)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    if (sca_finding_is_interval(c))
        return sca_interval_bounds_has(m->run, &bounds, previous, site);
    return sca_measure_part_in(m, ends, c->vertices, c->nvertices, rank,
                               sca_intervals_number(&m->run->intervals, previous, site)) > 0;
}

static struct instances instances_of(const struct sca_measure *m, const uint32_t *ends,
                                     const struct sca_finding *c, uint32_t rank)
{
    struct instances in = {0};
    struct sca_interval_matrix_row row = sca_interval_matrix_row(&m->matrix, rank);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
        const struct sca_call_pair *of = &m->matrix.of[x->pair];
        if (!holds(m, ends, c, rank, of->previous, of->site))
            continue;
        in.count += x->count;
        in.seconds += x->seconds;
    }
    return in;
}

/* Windows keep steps of unusual length, each for itself. 0 if none of them shows it. */
static double longest_of(const struct sca_measure *m, const uint32_t *ends,
                         const struct sca_traces *traces, const struct sca_finding *c,
                         uint32_t rank)
{
    double longest = 0;
    uint32_t nsites = m->run->profile->nsites;
    for (uint32_t i = 0; i < traces->count; i++) {
        const struct sca_event_sequence *sequence = &traces->traces[i].sequences[rank];
        for (uint32_t s = 0; s < sequence->nevents && traces->traces[i].weight < SCA_TWICE; s++) {
            struct sca_trace_event event = sca_trace_event_of(sequence, s);
            if (event.interval > longest && event.previous < nsites &&
                holds(m, ends, c, rank, event.previous, event.site))
                longest = event.interval;
        }
    }
    return longest;
}

/* What the longest instance of a rank that is shown takes beyond the usual one, in which others
 * have no part of the excess. */
static double longest_beyond(const struct sca_measure *m, const uint32_t *ends,
                             const struct sca_traces *traces, const struct sca_finding *c,
                             uint32_t rank, const struct instances *in, double excess)
{
    double usual = in->count ? (in->seconds - excess) / (double)in->count : 0;
    return longest_of(m, ends, traces, c, rank) - usual;
}

/* That of the other ranks: a first step takes longer on all. */
static double beyond_of_others(struct sca_workspace *space, const struct sca_measure *m,
                               const uint32_t *ends, const struct sca_traces *traces,
                               const struct sca_finding *c)
{
    double *beyond = sca_workspace_alloc(space, m->nranks, sizeof *beyond);
    double *work = sca_workspace_alloc(space, m->nranks, sizeof *work);
    const bool *named = sca_sides_named(space, m, c->ranks, c->nranks);
    for (uint32_t r = 0; r < m->nranks; r++) {
        struct instances in = instances_of(m, ends, c, r);
        beyond[r] = named[r] ? 0 : longest_beyond(m, ends, traces, c, r, &in, 0);
    }
    return fmax(0, sca_over_ranks_median(beyond, m->nranks, named, work));
}

uint64_t sca_single_instance_of(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, const struct sca_traces *traces,
                                const struct sca_finding *c)
{
    if (c->category > SCA_CAUSE_SERIAL || sca_finding_rotates(c) || !c->nranks || !traces->recorded)
        return 0;
    double *shown = sca_workspace_alloc(space, c->nranks, sizeof *shown);
    double excess = c->excess / c->nranks, others = INFINITY;
    bool single = true;
    for (uint32_t i = 0; i < c->nranks; i++) {
        struct instances in = instances_of(m, ends, c, c->ranks[i]);
        double beyond = longest_beyond(m, ends, traces, c, c->ranks[i], &in, excess);
        if (isinf(others) && beyond >= SCA_HALF * excess) /* it may be so on all */
            others = beyond_of_others(space, m, ends, traces, c);
        shown[i] =
            in.count >= SCA_SEVERAL ? beyond - others >= SCA_HALF * excess : in.count && m->shared;
    }
    sca_team_sum(traces->team, shown, c->nranks); /* each process has some of the windows */
    for (uint32_t i = 0; i < c->nranks; i++)
        single &= shown[i] > 0;
    return single ? sca_single_instance_count(m, ends, c) : 0;
}

uint64_t sca_single_instance_count(const struct sca_measure *m, const uint32_t *ends,
                                   const struct sca_finding *c)
{
    uint64_t fewest = UINT64_MAX;
    for (uint32_t i = 0; i < c->nranks; i++) {
        struct instances in = instances_of(m, ends, c, c->ranks[i]);
        fewest = in.count < fewest ? in.count : fewest;
    }
    return fewest;
}

/* Seconds of all ranks: of what comes again, of the finding, of all else that is done a few times.
 */
struct computed {
    double again, found, else_once;
};

static void add_rank(const struct sca_measure *m, const uint32_t *ends, const struct sca_finding *c,
                     uint32_t rank, struct computed *sums)
{
    struct sca_interval_matrix_row row = sca_interval_matrix_row(&m->matrix, rank);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
        if (x->count >= SCA_SEVERAL) {
            sums->again += x->seconds;
            continue;
        }
        const struct sca_call_pair *of = &m->matrix.of[x->pair];
        double part =
            sca_measure_part_in(m, ends, c->vertices, c->nvertices, rank,
                                sca_intervals_number(&m->run->intervals, of->previous, of->site));
        sums->found += part;
        sums->else_once += x->seconds - part;
    }
}

bool sca_single_instance_goes_in_iterations(const struct sca_measure *m, const uint32_t *ends,
                                            const struct sca_finding *c)
{
    struct computed sums = {0};
    for (uint32_t r = 0; r < m->nranks; r++)
        add_rank(m, ends, c, r, &sums);
    return sums.again >= fmax(sums.found, sums.else_once);
}
