#include "clock/cost.h"
#include "clock/clock.h"

static uint64_t since, sum;

void sca_cost_begin(void)
{
    since = sca_clock_cpu();
}

uint64_t sca_cost_so_far(void)
{
    return sum + (since ? sca_clock_cpu() - since : 0);
}

void sca_cost_end(void)
{
    sum = sca_cost_so_far();
    since = 0;
}
