/* Numbers of a series: 9 significant bits; below 512 the number, else 256 * e + m, standing for
 * m * 2^e with 256 <= m < 512. */
#ifndef SCA_SERIES_CODE_H
#define SCA_SERIES_CODE_H

#include <stdint.h>

enum { SCA_SERIES_VERSION = 1 }; /* of the chunk's content */

static inline uint64_t sca_series_code(double value)
{
    uint64_t v = value > 0 ? (uint64_t)(value + 0.5) : 0;
    if (v < 512)
        return v;
    unsigned e = 55 - (unsigned)__builtin_clzll(v);
    return 256 * (uint64_t)e + ((v + (1ull << (e - 1))) >> e);
}

static inline double sca_series_decode(uint64_t code)
{
    if (code < 512)
        return (double)code;
    uint64_t e = (code - 256) / 256;
    return e < 56 ? (double)((256 + (code - 256) % 256) << e) : 0;
}

#endif
