#include "report/run_comparison.h"
#include "stats/median.h"

/* What a second of the run counts in one of the largest run's work. */
double sca_run_comparison_work_scale(const struct sca_analysis *c, uint32_t i)
{
    const struct sca_ppg_run *runs = c->ppg->runs;
    return runs[i].work > 0 && runs[c->last].work > 0 ? runs[c->last].work / runs[i].work : 1;
}

static bool is_alike(const struct sca_analysis *c, uint32_t a, uint32_t b)
{
    return c->measures[a].nranks == c->measures[b].nranks &&
           (!c->comparable.by_threads || c->ppg->runs[a].threads == c->ppg->runs[b].threads);
}

double sca_run_comparison_deviation(struct sca_analysis *c, uint32_t run)
{
    double *row = sca_workspace_alloc(c->space, c->ppg->nruns, sizeof *row);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (is_alike(c, i, run) && c->ppg->runs[i].profile->complete)
            row[n++] = c->measures[i].total * sca_run_comparison_work_scale(c, i);
    double median = sca_median(row, n);
    return median > 0 ? c->measures[run].total * sca_run_comparison_work_scale(c, run) / median - 1
                      : 0;
}
