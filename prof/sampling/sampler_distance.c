/* Distances between samples, random around the period: a fixed one would keep step with programs
 * whose iterations last as long as a few of them. */
#include "sampling/sampler_backend.h"
#include "clock/clock.h"

static _Thread_local uint64_t dice __attribute__((tls_model("initial-exec")));

/* xorshift64: Marsaglia 2003. No two threads start alike. */
uint64_t sca_sampler_distance_random(void)
{
    if (!dice)
        dice = ((uint64_t)(uintptr_t)&dice ^ 0x9e3779b97f4a7c15u) + sca_clock_now();
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}

uint64_t sca_sampler_distance(uint64_t period)
{
    return period / 2 + sca_sampler_distance_random() % period;
}
