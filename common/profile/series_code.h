/*
 * Numbers of a series: 7 significant bits, rounded to the nearest, so that they are right to 0.4 %:
 * below 256 the number, else 128 * e + m, standing for m * 2^e with 128 <= m < 256. In a column
 * each is written as the difference of its code from the one before, which is small for times that
 * are alike.
 */
#ifndef SCA_SERIES_CODE_H
#define SCA_SERIES_CODE_H

#include <stdint.h>

/* Of the chunk's content; the second where the program names phases, the third, which may have them
 * too, where counters were read along it. */
enum { SCA_SERIES_VERSION = 1, SCA_SERIES_PHASES_VERSION = 2, SCA_SERIES_EVENTS_VERSION = 3 };

/* Columns of a point, in their order. */
enum sca_series_column {
    SCA_SERIES_ITERATIONS,
    SCA_SERIES_DURATION, /* of the first rank */
    SCA_SERIES_SPAN,     /* mean */
    SCA_SERIES_DEVIATION,
    SCA_SERIES_OFF_MEAN,
    SCA_SERIES_OFF_MAX,
    SCA_SERIES_SLOWEST,
    SCA_SERIES_MEMORY,
    SCA_SERIES_OWN, /* least, median, most, mean */
    SCA_SERIES_MPI = SCA_SERIES_OWN + 4,
    SCA_SERIES_COLUMNS = SCA_SERIES_MPI + 4
};

/* These are exact. */
static inline int sca_series_is_exact(int column)
{
    return column == SCA_SERIES_ITERATIONS || column == SCA_SERIES_SLOWEST;
}

static inline int64_t sca_series_code(double value)
{
    uint64_t v = value > 0 ? (uint64_t)(value + 0.5) : 0;
    if (v < 256)
        return (int64_t)v;
    unsigned e = 56 - (unsigned)__builtin_clzll(v);
    return 128 * (int64_t)e + (int64_t)((v + (1ull << (e - 1))) >> e);
}

static inline double sca_series_decode(int64_t code)
{
    if (code < 256)
        return code > 0 ? (double)code : 0;
    int64_t e = (code - 128) / 128;
    return e < 56 ? (double)((uint64_t)(128 + (code - 128) % 128) << e) : 0;
}

#endif
