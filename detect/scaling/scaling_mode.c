#include "scaling/scaling_mode.h"
#include "base/degrees.h"
#include "stats/fit.h"
#include "base/workspace.h"
#include "measure/measure.h"
#include "sca_part.h"
#include "trace/trace_synthesis.h"
#include "stats/over_ranks.h"

#include <math.h>

/* ---- what the sum of all computation says ---- */

static void mark_below(const struct sca_comparable *c, uint32_t vertex, bool *apart)
{
    for (uint32_t v = vertex; v < c->ends[vertex]; v++)
        apart[v] = true;
}

/* What some ranks alone have more of cannot be smoothed where there is one rank only: it is left
 * out, or a single rank that has it would look as if its work were divided among more. */
static bool *find_apart(const struct sca_comparable *c)
{
    const struct sca_skews *u = &c->unevens[c->nruns - 1];
    uint32_t most = c->runs[c->nruns - 1].nranks;
    bool *apart = sca_workspace_alloc(c->space, c->runs[0].ppg->nvertices, sizeof *apart);
    if (c->runs[0].nranks > 1)
        return apart;
    for (uint32_t i = 0; i < u->count; i++)
        if (u->items[i].nranks < most)
            mark_below(c, u->items[i].vertex, apart);
    for (uint32_t i = 0; i < c->inconclusive.count; i++)
        for (uint32_t k = 0; k < c->inconclusive.items[i]->nvertices; k++)
            if (c->inconclusive.items[i]->nranks < most)
                mark_below(c, c->inconclusive.items[i]->vertices[k], apart);
    return apart;
}

/* All computation of a run: as it is, and if each rank had what the median one has. */
struct run_work {
    double sum, usual;
    bool few_have_more;
};

static double upper_median(double *row, uint32_t nranks)
{
    for (uint32_t r = 0; r < nranks; r++)
        row[r] = -row[r];
    return -sca_over_ranks_median(row, nranks, NULL, row);
}

static struct run_work work_of(const struct sca_comparable *c, uint32_t run, const bool *apart)
{
    const struct sca_measure *m = &c->runs[run];
    double *row = sca_workspace_alloc(c->space, m->nranks, sizeof *row);
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        for (uint32_t r = 0; r < m->nranks && !apart[v]; r++)
            row[r] += m->run->comp[(size_t)v * m->nranks + r] * sca_comparable_scale(c, run, v);
    double mean = sca_over_ranks_mean(row, m->nranks);
    double lower = sca_over_ranks_median(row, m->nranks, NULL, row);
    double middle = (lower + upper_median(row, m->nranks)) / 2;
    return (struct run_work){mean * m->nranks, lower * m->nranks,
                             mean > (1 + SCA_RELEVANT) * middle};
}

static bool is_repeated(const struct sca_measure *m, uint32_t v)
{
    return v != SCA_NONE && m->run->calls[v] >= (uint64_t)SCA_SEVERAL * m->nranks;
}

/* As usual_total, of what comes after calls that are made several times: the program's steps,
 * without what is done only once, as to set it up. */
static double usual_steps(const struct sca_comparable *c, uint32_t run)
{
    const struct sca_measure *m = &c->runs[run];
    double *row = sca_workspace_alloc(c->space, m->nranks, sizeof *row);
    for (uint32_t site = 0; site < m->run->profile->nsites; site++) {
        uint32_t v = m->run->site_vertex[site];
        for (uint32_t r = 0; r < m->nranks && is_repeated(m, v); r++)
            row[r] += sca_measure_seconds_after(m, r, site) * sca_comparable_scale(c, run, v);
    }
    return m->nranks * sca_over_ranks_median(row, m->nranks, NULL, row);
}

/* The power of P with which the steps go; false where they are a matter of chance, or where a rank
 * is alone: it makes other calls than those that have neighbours. */
static bool fit_steps(const struct sca_comparable *c, double *exponent)
{
    struct sca_fit fit;
    double *x = sca_workspace_alloc(c->space, c->nruns, sizeof *x);
    double *y = sca_workspace_alloc(c->space, c->nruns, sizeof *y);
    for (uint32_t i = 0; i < c->nruns; i++) {
        x[i] = sca_comparable_places(c, i);
        y[i] = usual_steps(c, i);
        if (x[i] < 2 || y[i] <= 0)
            return false;
    }
    if (y[0] < SCA_BY_CHANCE * x[0] || !sca_fit_loglog(x, y, c->nruns, 0, &fit))
        return false;
    *exponent = fit.slope;
    return true;
}

static double exponent_of(const struct sca_comparable *c, const double *x, const double *y)
{
    struct sca_fit fit;
    return sca_fit_loglog(x, y, c->nruns, 0, &fit) ? fit.slope : 0;
}

/* With the ranks, all computation goes as P to these powers: 0 where the problem stays the same, 1
 * where it grows with them. What few ranks have less of is not in the usual: of two it is the less.
 */
struct exponents {
    double sum, usual;
};

/* Where the usual rank has hardly any of it, as of a master and one worker, the sum of all tells;
 * where few have more, only the usual does. */
static struct exponents find_exponents(const struct sca_comparable *c, const bool *apart)
{
    bool usual = true, few_have_more = false;
    double *x = sca_workspace_alloc(c->space, c->nruns, sizeof *x);
    double *sum = sca_workspace_alloc(c->space, c->nruns, sizeof *sum);
    double *y = sca_workspace_alloc(c->space, c->nruns, sizeof *y);
    for (uint32_t i = 0; i < c->nruns; i++) {
        struct run_work work = work_of(c, i, apart);
        x[i] = sca_comparable_places(c, i);
        sum[i] = work.sum;
        y[i] = work.usual;
        few_have_more = work.few_have_more;
        usual = usual && y[i] >= SCA_RELEVANT * sca_comparable_total(c, i);
    }
    for (uint32_t i = 0; i < c->nruns && !usual; i++)
        sum[i] = y[i] = sca_comparable_total(c, i);
    double by_usual = exponent_of(c, x, y);
    return (struct exponents){few_have_more ? by_usual : exponent_of(c, x, sum), by_usual};
}

/* ---- what the work says, place by place ---- */

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
    return samples > 0 ? SCA_ENOUGH_SAMPLES * m->total / samples : INFINITY;
}

/* The part of the smallest run's work that gets less per rank with more ranks. One loop that does,
 * in a problem that grows, says no more than one that does not in a problem that is divided; and a
 * few samples say nothing. */
static void find_divided(const struct sca_measure *m, const bool *apart, const double *slope,
                         const double *weight, struct sca_growths *out)
{
    double divided = 0, clearly = 0, together = 0, all = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        bool less = !apart[v] && slope[v] <= -SCA_HALF;
        divided += less ? weight[v] : 0;
        clearly += !apart[v] && slope[v] <= -1 + SCA_QUARTER ? weight[v] : 0;
        together += less ? slope[v] * weight[v] : 0;
        all += apart[v] ? 0 : weight[v];
    }
    out->divided = divided > least_seen(m) ? divided / all : 0;
    out->clearly_divided = together <= (-1 + SCA_QUARTER) * divided ? out->divided
                           : clearly > least_seen(m)                ? clearly / all
                                                                    : 0;
    out->told = m->total > 0 ? all / m->total : 0;
}

/* ---- where samples are too few to divide the work ---- */

/* What the median rank computes after the calls of each vertex: exact, whatever samples saw. 0
 * where only a few ranks do. */
static double *exact_rows(const struct sca_comparable *c, uint32_t run)
{
    const struct sca_measure *m = &c->runs[run];
    uint32_t nv = m->ppg->nvertices;
    double *rows = sca_workspace_alloc(c->space, (size_t)nv * m->nranks, sizeof *rows);
    double *median = sca_workspace_alloc(c->space, nv, sizeof *median);
    double *scratch = sca_workspace_alloc(c->space, m->nranks, sizeof *scratch);
    for (uint32_t site = 0; site < m->run->profile->nsites; site++) {
        uint32_t v = m->run->site_vertex[site];
        for (uint32_t r = 0; r < m->nranks && v != SCA_NONE; r++)
            rows[(size_t)v * m->nranks + r] += sca_measure_seconds_after(m, r, site);
    }
    for (uint32_t v = 0; v < nv; v++)
        median[v] = sca_over_ranks_median(rows + (size_t)v * m->nranks, m->nranks, NULL, scratch) *
                    sca_comparable_scale(c, run, v) / sca_comparable_beside(c, run);
    return median;
}

/* As find_divided, of the intervals between calls. What follows a call in one run and another in
 * the next, as where a single rank sends nothing, tells nothing: both runs must have most of it. */
static void find_divided_intervals(const struct sca_comparable *c, struct sca_growths *out)
{
    uint32_t last = c->nruns - 1;
    double first_ranks = c->runs[0].nranks * sca_comparable_beside(c, 0),
           ranks = c->runs[last].nranks;
    const double *before = exact_rows(c, 0), *after = exact_rows(c, last);
    double more = sca_comparable_places(c, last) / sca_comparable_places(c, 0), divided = 0,
           clearly = 0, left = 0, all = 0, all_after = 0;
    for (uint32_t v = 0; v < c->runs[0].ppg->nvertices; v++) {
        if (before[v] <= 0 || after[v] <= 0)
            continue;
        bool less = after[v] <= pow(more, -SCA_HALF) * before[v];
        divided += less ? before[v] : 0;
        clearly += after[v] <= pow(more, -1 + SCA_QUARTER) * before[v] ? before[v] : 0;
        left += less ? after[v] : 0;
        all += before[v];
        all_after += after[v];
    }
    double total = sca_comparable_total(c, 0), total_after = sca_comparable_total(c, last);
    out->divided = all > 0 ? divided / all : 0;
    out->clearly_divided = left <= pow(more, -1 + SCA_QUARTER) * divided ? out->divided
                           : all > 0                                     ? clearly / all
                                                                         : 0;
    out->told = total > 0 && total_after > 0
                    ? fmin(all * first_ranks / total, all_after * ranks / total_after)
                    : 0;
}

/* The problem stays the same where most of the work is clearly divided, or its sum stays, or what
 * the usual rank has of it; it grows where the latter grows with the ranks. Where it does neither,
 * or denies what the places say, both may be: it may grow more slowly than the ranks, or have much
 * that is not divided. Nor do steps that do not grow belong to a growing problem: what each rank
 * does once, as to set up its memory, then is what grows. */
static enum sca_scaling decide(const struct sca_comparable *c, bool told, struct exponents of,
                               struct sca_growths *out)
{
    bool divided = told && out->divided > SCA_HALF,
         clearly = told && out->clearly_divided > SCA_HALF;
    bool grows = of.usual >= 1 - SCA_QUARTER;
    bool stays = !grows && fmin(of.sum, of.usual) <= SCA_QUARTER;
    out->sum_exponent = stays ? fmin(of.sum, of.usual) : of.usual;
    out->steps_deny =
        grows && fit_steps(c, &out->step_exponent) && out->step_exponent < 1 - SCA_QUARTER;
    out->open = grows ? divided || out->steps_deny : !stays && !clearly;
    return divided || out->sum_exponent < SCA_HALF ? SCA_SCALING_STRONG : SCA_SCALING_WEAK;
}

enum sca_scaling sca_scaling_mode_recognise(const struct sca_comparable *comparable,
                                            const struct sca_settings *settings,
                                            const double *slope, const double *weight,
                                            struct sca_growths *out)
{
    const struct sca_measure *first = &comparable->runs[0];
    const bool *apart = find_apart(comparable);
    find_divided(first, apart, slope, weight, out);
    if (first->nranks == comparable->runs[comparable->nruns - 1].nranks && !comparable->by_threads)
        return SCA_SCALING_SINGLE;
    if (settings->scaling != SCA_SCALING_AUTO)
        return settings->scaling;
    if (comparable->told) /* compared per work, the problem stays the same */
        return SCA_SCALING_STRONG;
    /* Where few samples divide the work, intervals and their sum are still exact. */
    bool sampled = samples_of(first) >= SCA_MANY_SAMPLES;
    if (!sampled)
        find_divided_intervals(comparable, out);
    return decide(comparable, sampled || out->told > SCA_HALF, find_exponents(comparable, apart),
                  out);
}
