#include "stats/poisson.h"

#include <math.h>

double sca_poisson_log_ratio(double count, double mean, double other)
{
    return count * log(mean / other) - mean + other;
}

double sca_poisson_surprise(double count, double expected)
{
    return count > expected ? sca_poisson_log_ratio(count, count, expected) : 0;
}

double sca_poisson_tail(uint32_t count, double expected)
{
    double fewer = 0, each = exp(-expected);
    for (uint32_t n = 0; n < count; each *= expected / ++n)
        fewer += each;
    return fmax(0, 1 - fewer);
}
