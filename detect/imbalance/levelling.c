#include "imbalance/levelling.h"
#include "measure/sides.h"
#include "imbalance/slow_ranks.h"

#include <math.h>

#define SAMPLE_SIGMAS 3.0 /* as far as samples may mislead */

/* By how much the named ranks compute longer between the calls around it than the others do: `out`
 * is by c->ranks. No samples are needed to tell. */
static void excess_of_intervals(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, const struct sca_finding *c, double *out)
{
    bool *named = sca_workspace_alloc(space, m->nranks, sizeof *named);
    for (uint32_t i = 0; i < c->nranks; i++)
        named[c->ranks[i]] = true;
    const struct sca_within place = {ends, c->vertices, c->nvertices};
    bool *on = sca_workspace_alloc(space, m->run->intervals.n, sizeof *on);
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    sca_slow_ranks_mark_around(space, m, &place, named, on);
    sca_slow_ranks_time_marked(m, on, seconds);
    struct sca_sides sides = sca_sides_of(space, m, seconds, c->ranks, c->nranks);
    for (uint32_t i = 0; i < c->nranks; i++)
        out[i] = seconds[c->ranks[i]] - sides.usual;
}

/* The place's excess is known to within the error of its samples only, that of the intervals
 * exactly. If all of theirs can be the place's, it is. */
static double likely_excess(double excess, double noise, double of_intervals)
{
    bool can_be = of_intervals > 0 && fabs(of_intervals - excess) <= SAMPLE_SIGMAS * noise;
    return can_be ? of_intervals : excess;
}

/* A rank may have its excess on one of several call paths: from that one it is taken, and not from
 * those where it needs no more than the others. */
static void level_paths(struct sca_workspace *space, const struct sca_measure *m,
                        struct sca_finding *c)
{
    uint32_t nranks = m->nranks;
    double *seconds = sca_workspace_alloc(space, nranks, sizeof *seconds);
    double *excess = sca_workspace_alloc(space, nranks, sizeof *excess);
    c->transform.factors =
        sca_workspace_alloc(space, (size_t)c->nvertices * nranks, sizeof *c->transform.factors);
    for (uint32_t k = 0; k < c->nvertices; k++) { /* usual: what the others need on the path */
        const double *own = m->inclusive + (size_t)c->vertices[k] * nranks;
        double usual = sca_sides_of(space, m, own, c->ranks, c->nranks).usual;
        for (uint32_t r = 0; r < nranks; r++) {
            c->transform.factors[(size_t)k * nranks + r] = fmax(0, own[r] - usual);
            excess[r] += fmax(0, own[r] - usual);
            seconds[r] += own[r];
        }
    }
    for (uint32_t k = 0; k < c->nvertices; k++)
        for (uint32_t r = 0; r < nranks; r++) {
            double *of = &c->transform.factors[(size_t)k * nranks + r];
            double own = m->inclusive[(size_t)c->vertices[k] * nranks + r];
            double taken =
                excess[r] > 0 ? (1 - c->transform.factor[r]) * seconds[r] * *of / excess[r] : 0;
            *of = own > 0 ? fmax(0, 1 - taken / own) : 1;
        }
}

void sca_levelling_level_by(struct sca_workspace *space, const struct sca_measure *m,
                            struct sca_finding *c, const double *more)
{
    c->transform.factor = sca_workspace_grow(space, c->transform.factor, m->nranks, m->nranks,
                                             sizeof *c->transform.factor);
    for (uint32_t i = 0; i < c->nranks; i++) {
        double seconds = 0;
        for (uint32_t k = 0; k < c->nvertices; k++)
            seconds += m->inclusive[(size_t)c->vertices[k] * m->nranks + c->ranks[i]];
        c->transform.factor[c->ranks[i]] = seconds > 0 ? fmax(0, 1 - more[i] / seconds) : 1;
    }
    if (c->nvertices > 1)
        level_paths(space, m, c);
}

void sca_levelling_level_to(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, struct sca_finding *c, double reference)
{
    uint32_t nranks = m->nranks;
    double *of_intervals = sca_workspace_alloc(space, c->nranks, sizeof *of_intervals);
    c->transform.factor = sca_workspace_alloc(space, nranks, sizeof *c->transform.factor);
    excess_of_intervals(space, m, ends, c, of_intervals);
    for (uint32_t r = 0; r < nranks; r++)
        c->transform.factor[r] = 1;
    for (uint32_t i = 0; i < c->nranks; i++) {
        double seconds = 0, variance = 0;
        for (uint32_t k = 0; k < c->nvertices; k++) {
            size_t cell = (size_t)c->vertices[k] * nranks + c->ranks[i];
            seconds += m->inclusive[cell];
            variance += 2.0 * m->noise[cell] * m->noise[cell]; /* its own, the reference's */
        }
        double excess = likely_excess(seconds - reference, sqrt(variance), of_intervals[i]);
        if (seconds > reference)
            c->transform.factor[c->ranks[i]] = fmax(0, 1 - excess / seconds);
    }
    if (c->nvertices > 1)
        level_paths(space, m, c);
}
