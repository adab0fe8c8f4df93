#include "stats/over_ranks.h"
#include "stats/median.h"

#include <math.h>
#include <stddef.h>

double sca_over_ranks_sum(const double *row, uint32_t nranks)
{
    double sum = 0;
    for (uint32_t r = 0; r < nranks; r++)
        sum += row[r];
    return sum;
}

double sca_over_ranks_mean(const double *row, uint32_t nranks)
{
    return sca_over_ranks_sum(row, nranks) / nranks;
}

double sca_over_ranks_most(const double *row, uint32_t nranks)
{
    double most = 0;
    for (uint32_t r = 0; r < nranks; r++)
        most = fmax(most, row[r]);
    return most;
}

double sca_over_ranks_range(const double *row, uint32_t nranks)
{
    double least = INFINITY;
    for (uint32_t r = 0; r < nranks; r++)
        least = fmin(least, row[r]);
    return sca_over_ranks_most(row, nranks) - least;
}

double sca_over_ranks_median(const double *row, uint32_t nranks, const bool *left_out,
                             double *scratch)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < nranks; r++)
        if (!(left_out && left_out[r]) && !isnan(row[r]))
            scratch[n++] = row[r];
    return sca_median(scratch, n);
}

double sca_over_ranks_scatter(const double *row, uint32_t nranks, const bool *left_out,
                              double *scratch)
{
    double median = sca_over_ranks_median(row, nranks, left_out, scratch);
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t r = 0; r < nranks && median > 0; r++)
        if (!(left_out && left_out[r])) {
            sum += fabs(row[r] / median - 1);
            n++;
        }
    return n ? sum / n : 0;
}
