#include "stats/rank_pattern.h"

#include "base/degrees.h"

#include <math.h>

enum alignment { FROM_START, FROM_END, ALONG, IN_BLOCKS, ALIGNMENTS };

struct row { /* of a run */
    const double *seconds;
    uint32_t n;
    double mean;
};

static struct row row_of(const double *seconds, uint32_t n)
{
    struct row row = {seconds, n, 0};
    for (uint32_t r = 0; r < n; r++)
        row.mean += seconds[r] / n;
    return row;
}

/* Relative to the mean, between two ranks a mixture; NAN: there is no such rank. */
static double deviation_at(const struct row *row, double at)
{
    if (at < 0 || at > row->n - 1)
        return NAN;
    uint32_t below = (uint32_t)at, above = (uint32_t)ceil(at);
    double part = at - below;
    return ((1 - part) * row->seconds[below] + part * row->seconds[above]) / row->mean - 1;
}

static double place_in(const struct row *row, uint32_t rank, const struct row *other,
                       enum alignment how)
{
    if (how == FROM_START)
        return rank;
    if (how == FROM_END)
        return (double)rank + other->n - row->n;
    if (how == ALONG)
        return (double)rank * (other->n - 1) / (row->n - 1);
    return floor((rank + 0.5) * other->n / row->n);
}

static double left_of(const struct row *row, const struct row *other, enum alignment how)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t r = 0; r < row->n; r++) {
        double there = deviation_at(other, place_in(row, r, other, how));
        if (isnan(there))
            continue;
        sum += fabs(deviation_at(row, r) - there);
        n++;
    }
    return n < SCA_SEVERAL ? INFINITY : sum / n;
}

double sca_rank_pattern_left(const double *seconds, uint32_t nranks, const double *other,
                             uint32_t nothers)
{
    struct row row = row_of(seconds, nranks), others = row_of(other, nothers);
    double least = INFINITY;
    if (nranks < SCA_SEVERAL || nothers < SCA_SEVERAL || row.mean <= 0 || others.mean <= 0)
        return INFINITY;
    for (int how = 0; how < ALIGNMENTS; how++)
        least = fmin(least, left_of(&row, &others, (enum alignment)how));
    return least;
}
