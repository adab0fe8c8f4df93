#include "scaling/growth_totals.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"
#include "stats/merge_ranks.h"

#include <math.h>

/* Core-seconds of a run that are comparable; those of its ranks stand in the row then. */
static double total_of(const struct sca_growth_search *a, uint32_t run, bool inclusive, uint32_t v)
{
    sca_comparable_row(a->comparable, run, v, inclusive, a->row);
    return sca_over_ranks_sum(a->row, a->runs[run].nranks);
}

double sca_growth_totals_squared_noise(const struct sca_measure *m, uint32_t v)
{
    double sum = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        double noise = m->noise[(size_t)v * m->nranks + r];
        sum += noise * noise;
    }
    return sum;
}

static double scatter_of(const struct sca_measure *m, uint32_t v)
{
    double total = sca_over_ranks_sum(m->inclusive + (size_t)v * m->nranks, m->nranks);
    return total > 0 ? sqrt(sca_growth_totals_squared_noise(m, v)) / total : 0;
}

double sca_growth_totals_mean(const struct sca_growth_search *a, const struct sca_measure *like,
                              bool inclusive, uint32_t v)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        if (a->runs[i].nranks != like->nranks ||
            (a->comparable->by_threads && a->runs[i].run->threads != like->run->threads))
            continue;
        sum += total_of(a, i, inclusive, v);
        n++;
    }
    return sum / n;
}

/* Ranks that have as good as none of what stands in a->row. */
static uint32_t idle_in(const struct sca_growth_search *a, uint32_t run)
{
    uint32_t nranks = a->runs[run].nranks, n = 0;
    double mean = sca_over_ranks_mean(a->row, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        n += a->row[r] < SCA_NEGLIGIBLE * mean;
    return n;
}

uint32_t sca_growth_totals_idle(const struct sca_growth_search *a, uint32_t v, bool inclusive)
{
    uint32_t most = a->runs[a->nruns - 1].nranks, idle = 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        (void)total_of(a, i, inclusive, v);
        uint32_t of_run = idle_in(a, i);
        if (!of_run || of_run == a->runs[i].nranks || (i && of_run != idle))
            return 0;
        idle = of_run;
    }
    return idle < SCA_HALF * most ? idle : 0;
}

/* Puts those that have any first in a->row; returns how many they are. */
static uint32_t keep_busy(const struct sca_growth_search *a, uint32_t run, bool leave_out)
{
    uint32_t nranks = a->runs[run].nranks, n = 0;
    double mean = sca_over_ranks_mean(a->row, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        if (!leave_out || a->row[r] >= SCA_NEGLIGIBLE * mean)
            a->row[n++] = a->row[r];
    return n;
}

bool sca_growth_totals_are_everybodys(const struct sca_growth_search *a, uint32_t v, bool inclusive)
{
    bool leave_out = sca_growth_totals_idle(a, v, inclusive) > 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        const struct sca_measure *m = &a->runs[i];
        const double *seconds = inclusive ? m->inclusive : m->run->comp;
        double mean = total_of(a, i, inclusive, v) / m->nranks;
        double all = sca_over_ranks_mean(seconds + (size_t)v * m->nranks, m->nranks);
        uint32_t n = keep_busy(a, i, leave_out);
        if (sca_over_ranks_median(a->row, n, NULL, a->row) < SCA_QUARTER * mean ||
            mean < SCA_QUARTER * sca_comparable_scale(a->comparable, i, v) * all)
            return false;
    }
    return true;
}

int sca_growth_totals_fit(const struct sca_growth_search *a, uint32_t v, bool inclusive,
                          enum sca_merge merge, struct sca_fit *fit)
{
    double noise = 0;
    bool leave_out = merge != SCA_MERGE_RANK && sca_growth_totals_idle(a, v, inclusive) > 0;
    for (uint32_t i = 0; i < a->nruns; i++) {
        const struct sca_measure *m = &a->runs[i];
        sca_comparable_row(a->comparable, i, v, inclusive, a->row);
        a->x[i] = sca_comparable_places(a->comparable, i);
        a->y[i] =
            sca_merge_ranks(a->row, keep_busy(a, i, leave_out), merge, a->settings->merge_rank) /
            sca_comparable_beside(a->comparable, i);
        noise = fmax(noise, hypot(m->noise_level, scatter_of(m, v)));
    }
    return sca_fit_loglog(a->x, a->y, a->nruns, noise, fit);
}
