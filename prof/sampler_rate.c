#include "sampler_rate.h"

enum {
    ENOUGH = 128, /* samples at one rate */
    FEW = 64,     /* enough if they are dear: more than the CHEAP part of the time they stand for */
    CHEAP = 400,
    RAREST = 16
};

static struct {
    unsigned periods, taken; /* taken: at this rate */
    uint64_t period_ns, spent_ns;
    bool steady;
} rate = {.periods = 1};

void sca_rate_begin(uint64_t period_ns, bool steady)
{
    rate.periods = 1;
    rate.taken = 0;
    rate.period_ns = period_ns;
    rate.spent_ns = 0;
    rate.steady = steady;
}

void sca_rate_spend(uint64_t ns)
{
    __atomic_fetch_add(&rate.spent_ns, ns, __ATOMIC_RELAXED);
}

unsigned sca_rate_periods(void)
{
    return __atomic_load_n(&rate.periods, __ATOMIC_RELAXED);
}

bool sca_rate_is_new(void)
{
    return sca_rate_periods() == 1 && __atomic_load_n(&rate.taken, __ATOMIC_RELAXED) < FEW;
}

bool sca_rate_lower(void)
{
    unsigned periods = sca_rate_periods();
    if (periods >= RAREST)
        return false;
    __atomic_store_n(&rate.taken, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&rate.spent_ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&rate.periods, 2 * periods, __ATOMIC_RELAXED);
    return true;
}

static bool is_dear(void)
{
    return __atomic_load_n(&rate.spent_ns, __ATOMIC_RELAXED) >
           FEW * sca_rate_periods() * rate.period_ns / CHEAP;
}

bool sca_rate_count(void)
{
    unsigned taken = __atomic_add_fetch(&rate.taken, 1, __ATOMIC_RELAXED);
    return !rate.steady && (taken == ENOUGH || (taken == FEW && is_dear()));
}
