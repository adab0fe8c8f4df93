#include "confirm/rank_pattern.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"

#include <math.h>

/* Mean of the pattern over a stretch of the way, in ranks. */
static double over_way(const double *pattern, double from, double to)
{
    double sum = 0;
    for (double at = from; at < to;) {
        double next = fmin(to, floor(at) + 1);
        sum += (next - at) * pattern[(uint32_t)at];
        at = next;
    }
    return sum / (to - from);
}

static double value_of(const double *pattern, uint32_t nranks, uint32_t nothers, uint32_t other,
                       enum sca_rank_manner manner)
{
    bool upper = 2 * (nothers - other) <= nothers;
    if (manner == SCA_SAME_PART)
        return over_way(pattern, (double)other * nranks / nothers,
                        (double)(other + 1) * nranks / nothers);
    return manner == SCA_FROM_BOTH_ENDS && upper ? pattern[nranks - (nothers - other)]
                                                 : pattern[other];
}

bool sca_rank_pattern_weights(const double *pattern, uint32_t nranks, uint32_t nothers,
                              enum sca_rank_manner manner, double *weights)
{
    if ((manner != SCA_SAME_NUMBER && nothers == nranks) ||
        (manner != SCA_SAME_PART && nothers > nranks))
        return false;
    for (uint32_t r = 0; r < nothers; r++)
        weights[r] = value_of(pattern, nranks, nothers, r, manner);
    double mean = sca_over_ranks_mean(weights, nothers);
    for (uint32_t r = 0; r < nothers; r++)
        weights[r] = mean > 0 ? weights[r] / mean - 1 : 0;
    return mean > 0;
}

bool sca_rank_pattern_contrast(const double *seconds, const double *weights, uint32_t n,
                               double usual, struct sca_contrast *out)
{
    double mean = sca_over_ranks_mean(seconds, n), squares = 0, products = 0, left = 0;
    for (uint32_t r = 0; r < n && mean > 0; r++) {
        squares += weights[r] * weights[r];
        products += weights[r] * (seconds[r] / mean - 1);
    }
    if (squares <= 0)
        return false;
    out->slope = products / squares;
    for (uint32_t r = 0; r < n; r++) {
        double off = seconds[r] / mean - 1 - out->slope * weights[r];
        left += off * off;
    }
    double variance = (left + SCA_SEVERAL * usual * usual) / (n - 2.0 + SCA_SEVERAL);
    out->error = sqrt(variance / squares);
    return true;
}
