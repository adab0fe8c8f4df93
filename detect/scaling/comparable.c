#include "scaling/comparable.h"
#include "base/degrees.h"
#include "graph/mpi_function.h"
#include "imbalance/interval_findings.h"
#include "stats/over_ranks.h"
#include "trace/replay_trace.h"

#include <math.h>
#include <string.h>

/* ---- steps ---- */

static bool is_collective(const struct sca_measure *m, uint32_t v)
{
    const char *name = m->ppg->vertices[v].name;
    return m->ppg->vertices[v].kind == SCA_MPI && sca_collective_shape(name) >= 0 &&
           !sca_mpi_function_is_local(name);
}

/* Per vertex: the collectives of a rank in it, with all below. */
static double *count_collectives(const struct sca_comparable *c, const struct sca_measure *m)
{
    uint32_t nv = m->ppg->nvertices;
    double *calls = sca_workspace_alloc(c->space, nv, sizeof *calls);
    for (uint32_t v = nv; v-- > 1;) {
        calls[v] += is_collective(m, v) ? (double)m->run->calls[v] / m->nranks : 0;
        calls[m->ppg->vertices[v].parent] += calls[v];
    }
    return calls;
}

/* How many cores the ranks of a run were on; without the machine's word ranks that share them have
 * no more than others. */
static double cores_of(const struct sca_measure *m)
{
    if (m->cores)
        return fmin(m->nranks, m->cores);
    return m->shared ? 1 : m->nranks;
}

/* Whether more ranks made more steps in the same time than more cores can account for: a loop over
 * ranks makes more of them. */
static bool are_more_calls(const struct sca_comparable *c)
{
    const struct sca_measure *last = &c->runs[c->nruns - 1];
    double more_cores = fmax(1, cores_of(last) / cores_of(&c->runs[0]));
    return c->steps[c->nruns - 1] > (1 + SCA_QUARTER) * more_cores * c->steps[0];
}

/* Whether the steps of three runs or more lie on a line in that of the ranks, or of 1 / ranks, to
 * the last one: a clock does not stop like that. */
static bool go_by_a_rule(const struct sca_comparable *c, double power)
{
    uint32_t last = c->nruns - 1;
    double first = pow(c->runs[0].nranks, power), end = pow(c->runs[last].nranks, power);
    double slope = (c->steps[last] - c->steps[0]) / (end - first);
    bool all = c->nruns > 2;
    for (uint32_t i = 1; i < last; i++) {
        double by_rule = c->steps[0] + slope * (pow(c->runs[i].nranks, power) - first);
        all = all && fabs(c->steps[i] - by_rule) < 1;
    }
    return all;
}

/* A program that does a given work makes as many steps on more ranks, or more of them (a loop over
 * ranks), or fewer by a rule (a round of them is one); and it does not take as long however many it
 * makes. */
static bool stop_by_time(const struct sca_comparable *c)
{
    const double *steps = c->steps;
    uint32_t last = c->nruns - 1;
    double least = INFINITY, most = 0, shortest = INFINITY, longest = 0;
    for (uint32_t i = 0; i < c->nruns; i++) {
        least = fmin(least, steps[i]);
        most = fmax(most, steps[i]);
        shortest = fmin(shortest, c->runs[i].wall);
        longest = fmax(longest, c->runs[i].wall);
    }
    if (c->runs[0].nranks == c->runs[last].nranks || least < SCA_ENOUGH_SAMPLES ||
        most < (1 + SCA_RELEVANT) * least || go_by_a_rule(c, 1) || go_by_a_rule(c, -1))
        return false;
    /* no run of fixed work makes so many fewer on more ranks; or they took as long all the same */
    return steps[0] >= (1 + SCA_QUARTER) * steps[last] ||
           (log(longest / shortest) <= SCA_QUARTER * log(most / least) && !are_more_calls(c));
}

/* The steps a vertex takes part in are those of the structure around it that has collectives. */
static void scale_vertices(struct sca_comparable *c, uint32_t run, double *const *calls)
{
    const struct sca_ppg *ppg = c->runs[run].ppg;
    const double *here = calls[run], *last = calls[c->nruns - 1];
    c->per_step[run] = sca_workspace_alloc(c->space, ppg->nvertices, sizeof **c->per_step);
    for (uint32_t v = 0; v < ppg->nvertices; v++) {
        bool own = here[v] > 0 && last[v] > 0;
        float around = v ? c->per_step[run][ppg->vertices[v].parent] : 1;
        c->per_step[run][v] = own ? (float)(last[v] / here[v]) : around;
    }
}

static void compare_steps(struct sca_comparable *c)
{
    double **calls = sca_workspace_alloc(c->space, c->nruns, sizeof *calls);
    c->steps = sca_workspace_alloc(c->space, c->nruns, sizeof *c->steps);
    for (uint32_t i = 0; i < c->nruns; i++) {
        calls[i] = count_collectives(c, &c->runs[i]);
        c->steps[i] = calls[i][0];
    }
    c->timed = !c->told && !c->same_work && stop_by_time(c);
    if (!c->timed)
        return;
    c->per_step = sca_workspace_alloc(c->space, c->nruns, sizeof *c->per_step);
    for (uint32_t i = 0; i < c->nruns; i++)
        scale_vertices(c, i, calls);
}

static bool is_work_told(const struct sca_comparable *c)
{
    bool told = c->runs[0].nranks != c->runs[c->nruns - 1].nranks;
    for (uint32_t i = 0; i < c->nruns; i++)
        told = told && c->runs[i].run->work > 0;
    return told;
}

static bool is_by_threads(const struct sca_comparable *c)
{
    return sca_ppg_runs_by_threads(c->runs[0].run, c->runs[c->nruns - 1].run);
}

double sca_comparable_places(const struct sca_comparable *c, uint32_t run)
{
    const struct sca_measure *m = &c->runs[run];
    return (double)m->nranks * (c->by_threads ? m->run->threads : 1);
}

double sca_comparable_beside(const struct sca_comparable *c, uint32_t run)
{
    double last = c->runs[c->nruns - 1].run->threads;
    return c->by_threads ? c->runs[run].run->threads / last : 1;
}

double sca_comparable_scale(const struct sca_comparable *c, uint32_t run, uint32_t vertex)
{
    if (c->told)
        return c->runs[c->nruns - 1].run->work / c->runs[run].run->work;
    return c->timed ? c->per_step[run][vertex] : sca_comparable_beside(c, run);
}

double sca_comparable_total(const struct sca_comparable *c, uint32_t run)
{
    const struct sca_measure *m = &c->runs[run];
    double total = 0;
    if (!c->timed)
        return m->total * sca_comparable_scale(c, run, 0);
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        for (uint32_t r = 0; r < m->nranks; r++)
            total += m->run->comp[(size_t)v * m->nranks + r] * c->per_step[run][v];
    return total;
}

/* ---- imbalance ---- */

/* Which ranks have more of it in this run: in the last one they are known. */
static bool find_uneven(struct sca_comparable *c, uint32_t run, const struct sca_finding *from,
                        double threshold, struct sca_skew *out)
{
    const struct sca_measure *m = &c->runs[run];
    struct sca_abnormal a = {.nranks = from->nranks, .ranks = from->ranks, .excess = from->excess};
    struct sca_interval_bounds bounds = sca_finding_bounds(from);
    bool last = run == c->nruns - 1;
    if (!last && sca_finding_rotates(from))
        return false;
    if (!last && !(from->interval.part != SCA_NO_INTERVAL
                       ? sca_interval_findings_judge(c->space, m, &bounds, threshold, &a)
                       : sca_abnormal_judge(c->space, m, c->ends, from->vertices, from->nvertices,
                                            threshold, &a)))
        return false;
    *out = (struct sca_skew){from->vertex, a.nranks, a.ranks};
    return true;
}

static void find_unevens(struct sca_comparable *c, const struct sca_finding_list *findings,
                         double threshold)
{
    c->unevens = sca_workspace_alloc(c->space, c->nruns, sizeof *c->unevens);
    for (uint32_t i = 0; i < c->nruns; i++) {
        struct sca_skews *u = &c->unevens[i];
        u->items = sca_workspace_alloc(c->space, findings->count, sizeof *u->items);
        for (uint32_t k = 0; k < findings->count; k++)
            u->count += find_uneven(c, i, findings->items[k], threshold, &u->items[u->count]);
    }
}

/* The odd ranks get what the others need: totals are exact where few samples divide them. */
static void smooth_out(const struct sca_comparable *c, uint32_t nranks, double *row)
{
    double usual = sca_over_ranks_median(row, nranks, c->odd, c->others);
    for (uint32_t r = 0; r < nranks; r++)
        if (c->odd[r])
            row[r] = fmin(row[r], usual);
}

/* Of the imbalances in the vertex. */
static void take_unevens(const struct sca_comparable *c, uint32_t run, uint32_t vertex, double *row)
{
    const struct sca_skews *u = &c->unevens[run];
    uint32_t nranks = c->runs[run].nranks, nodd = 0;
    memset(c->odd, 0, nranks * sizeof *c->odd);
    for (uint32_t i = 0; i < u->count; i++) {
        const struct sca_skew *item = &u->items[i];
        if (item->vertex < vertex || item->vertex >= c->ends[vertex])
            continue;
        for (uint32_t k = 0; k < item->nranks && item->nranks < nranks; k++) {
            nodd += !c->odd[item->ranks[k]];
            c->odd[item->ranks[k]] = true;
        }
    }
    if (nodd && nodd < nranks)
        smooth_out(c, nranks, row);
}

void sca_comparable_row(const struct sca_comparable *c, uint32_t run, uint32_t vertex,
                        bool inclusive, double *row)
{
    const struct sca_measure *m = &c->runs[run];
    const double *matrix = inclusive ? m->inclusive : m->run->comp;
    memcpy(row, matrix + (size_t)vertex * m->nranks, m->nranks * sizeof *row);
    if (inclusive)
        take_unevens(c, run, vertex, row);
    double scale = sca_comparable_scale(c, run, vertex);
    for (uint32_t r = 0; r < m->nranks && scale != 1; r++)
        row[r] *= scale;
}

void sca_comparable_open(struct sca_workspace *space, const struct sca_measure *runs,
                         uint32_t nruns, const uint32_t *ends,
                         const struct sca_finding_list *findings,
                         const struct sca_finding_list *inconclusive, double threshold,
                         bool same_work, struct sca_comparable *out)
{
    uint32_t most = runs[nruns - 1].nranks;
    *out = (struct sca_comparable){.space = space, .runs = runs, .nruns = nruns, .ends = ends};
    out->inconclusive = *inconclusive;
    out->odd = sca_workspace_alloc(space, most, sizeof *out->odd);
    out->others = sca_workspace_alloc(space, most, sizeof *out->others);
    out->by_threads = is_by_threads(out);
    out->told = is_work_told(out);
    out->same_work = same_work;
    compare_steps(out);
    find_unevens(out, findings, threshold);
}
