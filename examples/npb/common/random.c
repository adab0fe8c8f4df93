/* The linear congruential generator of the NAS specification, modulus 2^46.
 * Integer arithmetic is exact: the product wraps modulo 2^64, a multiple of 2^46. */
#include "npb.h"

static const uint64_t low_46_bits = (UINT64_C(1) << 46) - 1;

double npb_random(uint64_t *seed, uint64_t multiplier)
{
    *seed = *seed * multiplier & low_46_bits;
    return (double)*seed * 0x1p-46;
}

uint64_t npb_random_power(uint64_t multiplier, uint64_t exponent)
{
    uint64_t power = 1;

    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = power * multiplier & low_46_bits;
        multiplier = multiplier * multiplier & low_46_bits;
    }
    return power;
}

uint64_t npb_random_skip(uint64_t seed, uint64_t multiplier, uint64_t steps)
{
    return seed * npb_random_power(multiplier, steps) & low_46_bits;
}
