#include "measure/core_speed.h"
#include "stats/median.h"
#include "stats/over_ranks.h"
#include "stats/weighted_quantile.h"
#include "base/degrees.h"

#include <math.h>

struct witness {       /* other code */
    const double *row; /* seconds per rank */
    double usual;      /* their median */
    double error;      /* relative standard deviation of what it says */
};

struct speed_fit {
    const struct sca_measure *m;
    struct witness *of;
    uint32_t n;
    double *factor;            /* per rank */
    double *scratch, *equal;   /* per rank; equal: 1 */
    struct sca_weighted *list; /* per witness */
    double *errors;            /* likewise */
};

static bool inside(const struct sca_within *j, uint32_t v)
{
    for (uint32_t i = 0; i < j->nvertices; i++)
        if (v >= j->vertices[i] && v < j->ends[j->vertices[i]])
            return true;
    return false;
}

static void add_witness(struct speed_fit *f, const double *row)
{
    double usual = sca_over_ranks_median(row, f->m->nranks, f->m->absent, f->scratch);
    if (usual > SCA_NO_TIME)
        f->of[f->n++] = (struct witness){row, usual, 1};
}

/* What the rank does beside what is judged in the intervals of that code; 0 if it was sampled too
 * little there. */
static double beside(const struct sca_measure *m, const bool *on, const struct sca_within *judged,
                     uint32_t rank)
{
    const struct sca_ppg_run *run = m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    double samples = 0, seconds = 0;
    for (uint32_t g = 0; g < run->intervals.n; g++)
        for (uint32_t i = first[g]; i < first[g + 1] && on[g]; i++)
            if (!inside(judged, run->shares[i].vertex)) {
                samples += (double)run->shares[i].samples;
                seconds += run->shares[i].seconds;
            }
    return samples >= SCA_ENOUGH_SAMPLES ? seconds : 0;
}

/* All phases but those of that code, which get marked in `left_out`. */
static void call_phases(struct speed_fit *f, const bool *on, bool *left_out)
{
    const struct sca_measure *m = f->m;
    for (uint32_t g = 0; g < m->run->intervals.n; g++)
        if (on[g] && m->phases.of_interval[g] != SCA_NONE)
            left_out[m->phases.of_interval[g]] = true;
    for (uint32_t p = 0; p < m->phases.n; p++) {
        const double *row = sca_phases_row(&m->phases, m->run, p);
        if (!left_out[p] && sca_over_ranks_sum(row, m->nranks) >= SCA_NEGLIGIBLE * m->total)
            add_witness(f, row);
    }
}

/* Who takes longer than cores make has more of it to do, and who takes less than half does
 * something else instead. Who has a little less to do is on no slow core all the same. */
static bool is_alike(double ratio)
{
    return ratio > 1 / SCA_TWICE && ratio < SCA_MOST_CORE_SPEED;
}

/* By all witnesses but one, which may be SCA_NONE. 0: none tells. */
static double factor_of(const struct speed_fit *f, uint32_t rank, uint32_t but)
{
    uint32_t n = 0;
    double total = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        const struct witness *w = &f->of[k];
        double ratio = w->row[rank] / w->usual, weight = 1 / (w->error * w->error);
        if (k == but || !is_alike(ratio))
            continue;
        f->list[n++] = (struct sca_weighted){ratio, weight};
        total += weight;
    }
    return n ? sca_weighted_quantile(f->list, n, total, 0.5) : 0;
}

/* By how much two rows differ, one of them in units of `usual`: relative, as a standard deviation.
 * Ranks of which one says nothing are left out. */
static double deviation(struct speed_fit *f, const double *row, double usual, const double *from)
{
    for (uint32_t r = 0; r < f->m->nranks; r++)
        f->scratch[r] =
            from[r] > 0 && !f->m->absent[r] ? fabs(row[r] / (usual * from[r]) - 1) : NAN;
    return fmax(SCA_EQUAL_RANKS,
                SCA_NORMAL_MAD * sca_over_ranks_median(f->scratch, f->m->nranks, NULL, f->scratch));
}

static void fit_without(const struct speed_fit *f, uint32_t but, double *factor)
{
    for (uint32_t r = 0; r < f->m->nranks; r++)
        factor[r] = f->m->absent[r] ? 0 : factor_of(f, r, but);
}

/* A witness is as good as it agrees with the others, or as the ranks agree in it, which leaves
 * nothing to be explained. A single one is believed. */
static void weigh(struct speed_fit *f)
{
    for (uint32_t k = 0; k < f->n; k++)
        f->of[k].error = deviation(f, f->of[k].row, f->of[k].usual, f->equal);
    for (uint32_t k = 0; k < f->n; k++) {
        fit_without(f, k, f->factor);
        f->errors[k] = f->n > 1 ? deviation(f, f->of[k].row, f->of[k].usual, f->factor) : 0;
    }
    for (uint32_t k = 0; k < f->n; k++)
        f->of[k].error = fmax(SCA_EQUAL_RANKS, fmin(f->of[k].error, f->errors[k]));
}

/* What all witnesses together are off by. */
static double error_of(const struct speed_fit *f)
{
    double precision = 0;
    for (uint32_t k = 0; k < f->n; k++)
        precision += 1 / (f->of[k].error * f->of[k].error);
    return sqrt(SCA_MEDIAN_VARIANCE / precision);
}

/* Cores differ by no more than that: what ranks differ by beyond it, in all that they do, is work.
 */
static void bound(const struct speed_fit *f)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < f->m->nranks; r++)
        if (f->factor[r] > 0)
            f->scratch[n++] = f->factor[r];
    if (!n)
        return;
    sca_median_sort(f->scratch, n);
    double fast = f->scratch[(uint32_t)(SCA_QUARTER * n)];
    double most = SCA_MOST_CORE_SPEED * fmin(1, fast);
    for (uint32_t r = 0; r < f->m->nranks; r++)
        if (f->factor[r] > 0)
            f->factor[r] = fmax(1 / SCA_MOST_CORE_SPEED, fmin(most, f->factor[r]));
}

/* What is usual of cores is known before; what the witnesses are off by is between that and what
 * they say. Returns what is left of the error. */
static double draw_together(struct speed_fit *f)
{
    double error = error_of(f), usual = f->m->shared ? SCA_USUAL_SHARED : SCA_USUAL_OWN;
    double told = usual * usual / (usual * usual + error * error);
    for (uint32_t r = 0; r < f->m->nranks; r++)
        if (f->factor[r] > 0)
            f->factor[r] = 1 + (f->factor[r] - 1) * told;
    bound(f);
    return error * sqrt(told);
}

static bool is_enough(const struct speed_fit *f)
{
    double seconds = 0;
    for (uint32_t k = 0; k < f->n; k++)
        seconds += f->of[k].usual;
    double usual = sca_over_ranks_median(f->m->rank_total, f->m->nranks, f->m->absent, f->scratch);
    return f->n && seconds >= SCA_RELEVANT * usual;
}

static void open_fit(struct sca_workspace *space, const struct sca_measure *m, struct speed_fit *f)
{
    f->m = m;
    f->of = sca_workspace_alloc(space, m->phases.n + 1, sizeof *f->of);
    f->list = sca_workspace_alloc(space, m->phases.n + 1, sizeof *f->list);
    f->errors = sca_workspace_alloc(space, m->phases.n + 1, sizeof *f->errors);
    f->equal = sca_workspace_alloc(space, m->nranks, sizeof *f->equal);
    f->scratch = sca_workspace_alloc(space, m->nranks, sizeof *f->scratch);
    for (uint32_t r = 0; r < m->nranks; r++)
        f->equal[r] = 1;
}

double sca_core_speed_tell(struct sca_workspace *space, const struct sca_measure *m, const bool *on,
                           const struct sca_within *judged, double *factor)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct speed_fit f = {.factor = factor};
    double *rest = sca_workspace_alloc(&scratch, m->nranks, sizeof *rest);
    double error = sca_measure_usual_spread(m);
    open_fit(&scratch, m, &f);
    call_phases(&f, on, sca_workspace_alloc(&scratch, m->phases.n + 1, sizeof(bool)));
    for (uint32_t r = 0; r < m->nranks && judged; r++)
        rest[r] = beside(m, on, judged, r);
    add_witness(&f, rest);
    bool told = is_enough(&f);
    for (uint32_t r = 0; r < m->nranks; r++)
        factor[r] = 0;
    if (told) {
        weigh(&f);
        fit_without(&f, SCA_NONE, factor);
        error = draw_together(&f);
    }
    sca_workspace_free(&scratch);
    return error;
}
