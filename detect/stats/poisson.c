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
