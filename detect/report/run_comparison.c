#include "report/run_comparison.h"
#include "stats/median.h"

/* What a second of the run counts in one of the largest run's work. */
double sca_run_comparison_work_scale(const struct sca_analysis *c, uint32_t i)
{
    const struct sca_ppg_run *runs = c->ppg->runs;
    return runs[i].work > 0 && runs[c->last].work > 0 ? runs[c->last].work / runs[i].work : 1;
}

double sca_run_comparison_deviation(struct sca_analysis *c, uint32_t run)
{
    double *row = sca_workspace_alloc(c->space, c->ppg->nruns, sizeof *row);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (c->measures[i].nranks == c->measures[run].nranks && c->ppg->runs[i].profile->complete)
            row[n++] = c->measures[i].total * sca_run_comparison_work_scale(c, i);
    double median = sca_median(row, n);
    return median > 0 ? c->measures[run].total * sca_run_comparison_work_scale(c, run) / median - 1
                      : 0;
}
