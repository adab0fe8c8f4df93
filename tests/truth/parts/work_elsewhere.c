#include "work_elsewhere.h"

double flop(double x, double a, double b)
{
    return x * a + b;
}

double bend(double x, long i)
{
    return (i & 7) ? x * 0.9999998 + 2e-8 : x + 1e-9 * (double)(i % 13);
}

double mean(double west, double east, double north, double south)
{
    return 0.25 * (west + east + north + south);
}

double pull(double distance)
{
    return 1 / (1 + distance * distance);
}

int hop(const int *next, int at)
{
    return next[at];
}
