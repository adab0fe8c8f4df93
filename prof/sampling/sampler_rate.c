#include "sampling/sampler_rate.h"

enum {
    ENOUGH = 128, /* samples at one rate, */
    DEAR = 48,    /* where each needs a clock of its own */
    RAREST = 16
};

static struct {
    unsigned periods, taken; /* taken: at this rate */
    unsigned enough;
    bool steady;
} rate = {.periods = 1, .enough = ENOUGH};

void sca_sampler_rate_begin(bool steady, bool dear)
{
    rate.periods = 1;
    rate.taken = 0;
    rate.enough = dear ? DEAR : ENOUGH;
    rate.steady = steady;
}

unsigned sca_sampler_rate_periods(void)
{
    return __atomic_load_n(&rate.periods, __ATOMIC_RELAXED);
}

bool sca_sampler_rate_lower(void)
{
    unsigned periods = sca_sampler_rate_periods();
    if (periods >= RAREST)
        return false;
    __atomic_store_n(&rate.taken, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&rate.periods, 2 * periods, __ATOMIC_RELAXED);
    return true;
}

bool sca_sampler_rate_count(void)
{
    return __atomic_add_fetch(&rate.taken, 1, __ATOMIC_RELAXED) == rate.enough && !rate.steady;
}
