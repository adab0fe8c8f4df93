#include "stats/order_gap.h"

#include <math.h>

enum { BEYOND = 8, PARTS = 100 }; /* standard deviations on each side; parts of one */

static double below(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double binomial(uint32_t n, uint32_t i)
{
    double of = 1;
    for (uint32_t k = 1; k <= i; k++)
        of *= (double)(n - i + k) / k;
    return of;
}

double sca_order_gap(uint32_t n, uint32_t i)
{
    double sum = 0;
    for (int k = -BEYOND * PARTS; k <= BEYOND * PARTS; k++) {
        double part = below((double)k / PARTS);
        sum += pow(part, i) * pow(1 - part, n - i);
    }
    return binomial(n, i) * sum / PARTS;
}
