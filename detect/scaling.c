#include "scaling.h"
#include "model.h"
#include "walk.h"

#include <math.h>

#define MOST        0.5   /* so much of the work is divided: strong scaling */
#define ENOUGH_SEEN 10.0  /* samples that tell how much of the smallest run a vertex is */
#define ENOUGH_TOLD 200.0 /* samples of the smallest run that tell which of its work is divided */
#define ENOUGH_ASK  50.0  /* and that are worth a question */
#define HARDLY_ANY  0.1   /* of the work: so little of it says nothing about the program */

/* All computation of a run, evened out. */
static double evened_total(const struct sca_comparable *c, uint32_t run)
{
    double *row = sca_room_alloc(c->room, c->runs[run].nranks, sizeof *row), sum = 0;
    if (c->timed)
        return sca_comparable_total(c, run);
    sca_comparable_row(c, run, 0, true, row);
    for (uint32_t r = 0; r < c->runs[run].nranks; r++)
        sum += row[r];
    return sum;
}

/* Work that is the same in sum on more ranks is divided, however unevenly. Where nearly all of it
 * is uneven, as of a master and one worker, nothing is left when that is evened out. */
static bool is_sum_constant(const struct sca_comparable *c)
{
    uint32_t last = c->nruns - 1;
    double more = (double)c->runs[last].nranks / c->runs[0].nranks;
    double before = evened_total(c, 0), after = evened_total(c, last);
    if (before < HARDLY_ANY * sca_comparable_total(c, 0)) {
        before = sca_comparable_total(c, 0);
        after = sca_comparable_total(c, last);
    }
    return before > 0 && after < sqrt(more) * before;
}

static double samples_of(const struct sca_measure *m)
{
    double samples = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        samples += m->run->samples[v];
    return samples;
}

/* Seconds of the smallest run that are more than a matter of where few samples fell. */
static double least_seen(const struct sca_measure *m)
{
    double samples = samples_of(m);
    return samples > 0 ? ENOUGH_SEEN * m->total / samples : INFINITY;
}

/* The part of the smallest run's work that gets less per rank with more ranks. One loop that does,
 * in a problem that grows, says no more than one that does not in a problem that is divided; and a
 * few samples say nothing. */
static void find_divided(const struct sca_measure *m, const double *slope, const double *weight,
                         struct sca_growths *out)
{
    double divided = 0, all = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        divided += slope[v] <= SCA_STRONG_SLOPE ? weight[v] : 0;
        all += weight[v];
    }
    out->divided = divided > least_seen(m) ? divided / all : 0;
    out->told = m->total > 0 ? all / m->total : 0;
}

/* ---- where samples are too few to divide the work ---- */

/* What the median rank computes after the calls of each vertex: exact, whatever samples saw. 0
 * where only a few ranks do. */
static double *exact_rows(const struct sca_comparable *c, uint32_t run)
{
    const struct sca_measure *m = &c->runs[run];
    uint32_t nv = m->ppg->nvertices;
    double *rows = sca_room_alloc(c->room, (size_t)nv * m->nranks, sizeof *rows);
    double *median = sca_room_alloc(c->room, nv, sizeof *median);
    for (uint32_t site = 0; site < m->run->profile->nsites; site++) {
        uint32_t v = m->run->site_vertex[site];
        for (uint32_t r = 0; r < m->nranks && v != SCA_NONE; r++)
            rows[(size_t)v * m->nranks + r] += sca_seconds_after(m, r, site);
    }
    for (uint32_t v = 0; v < nv; v++)
        median[v] =
            sca_median(rows + (size_t)v * m->nranks, m->nranks) * sca_comparable_scale(c, run, v);
    return median;
}

/* As find_divided, of the intervals between calls. */
static void find_divided_intervals(const struct sca_comparable *c, struct sca_growths *out)
{
    uint32_t last = c->nruns - 1;
    const double *before = exact_rows(c, 0), *after = exact_rows(c, last);
    double more = (double)c->runs[last].nranks / c->runs[0].nranks, divided = 0, all = 0;
    for (uint32_t v = 0; v < c->runs[0].ppg->nvertices; v++) {
        divided +=
            after[v] > 0 && after[v] <= pow(more, SCA_STRONG_SLOPE) * before[v] ? before[v] : 0;
        all += after[v] > 0 ? before[v] : 0;
    }
    double total = sca_comparable_total(c, 0);
    out->divided = all > 0 ? divided / all : 0;
    out->told = total > 0 ? all * c->runs[0].nranks / total : 0;
}

/* What says more against the answer is told with it. */
static void doubt(const struct sca_growths *other, bool strong, struct sca_growths *out)
{
    if (other->told > MOST &&
        (strong ? other->divided < out->divided : other->divided > out->divided)) {
        out->divided = other->divided;
        out->told = other->told;
    }
}

enum sca_scaling sca_scaling_recognise(const struct sca_comparable *comparable,
                                       const struct sca_settings *settings, const double *slope,
                                       const double *weight, struct sca_growths *out)
{
    const struct sca_measure *first = &comparable->runs[0];
    find_divided(first, slope, weight, out);
    if (first->nranks == comparable->runs[comparable->nruns - 1].nranks)
        return SCA_SCALING_SINGLE;
    if (settings->scaling != SCA_SCALING_AUTO)
        return settings->scaling;
    if (comparable->told) /* compared per work, the problem stays the same */
        return SCA_SCALING_STRONG;
    /* Where few samples divide the work, intervals and their sum are still exact. */
    struct sca_growths by_samples = *out;
    bool sampled = samples_of(first) >= ENOUGH_TOLD;
    if (!sampled)
        find_divided_intervals(comparable, out);
    bool told = sampled || out->told > MOST;
    bool strong = (told && out->divided > MOST) || is_sum_constant(comparable);
    if (samples_of(first) >= ENOUGH_ASK)
        doubt(&by_samples, strong, out);
    return strong ? SCA_SCALING_STRONG : SCA_SCALING_WEAK;
}
