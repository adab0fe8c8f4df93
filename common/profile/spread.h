/*
 * How numbers of ranks spread. Never allocates.
 */
#ifndef SCA_SPREAD_H
#define SCA_SPREAD_H

#include <stdint.h>
#include <stdlib.h>

static inline int sca_spread_by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* n: at least 1, in all of these. */
static inline double sca_spread_mean(const float *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

/* The place of the greatest one. */
static inline uint32_t sca_spread_greatest(const float *values, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < n; i++)
        if (values[i] > values[at])
            at = i;
    return at;
}

/* Least, median, most and mean. Sorts the values. */
static inline void sca_spread_of(double out[4], float *values, uint32_t n)
{
    out[3] = sca_spread_mean(values, n);
    qsort(values, n, sizeof *values, sca_spread_by_value);
    out[0] = values[0];
    out[1] = (values[(n - 1) / 2] + values[n / 2]) / 2;
    out[2] = values[n - 1];
}

#endif
