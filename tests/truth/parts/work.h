/* What loops do in a small function each: that of a header. Way `header`. */
#ifndef WORK_H
#define WORK_H

static inline double flop(double x, double a, double b)
{
    return x * a + b;
}

static inline double bend(double x, long i)
{
    return (i & 7) ? x * 0.9999998 + 2e-8 : x + 1e-9 * (double)(i % 13);
}

static inline double mean(double west, double east, double north, double south)
{
    return 0.25 * (west + east + north + south);
}

static inline double pull(double distance)
{
    return 1 / (1 + distance * distance);
}

static inline int hop(const int *next, int at)
{
    return next[at];
}

#endif
