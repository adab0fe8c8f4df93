#include "sampling/kernel_time.h"
#include "base/guard.h"
#include "clock/clock.h"
#include "sampling/interval.h"

#include <sys/resource.h>

enum { MOST_LOTS = 100000 }; /* that one sample may stand for: minutes in one system call */

static _Thread_local struct {
    uint64_t kernel_ns, at_ns; /* at the sample before, or when the clock was set */
    uint64_t rest_ns;          /* less than a unit, for the next one */
} state __attribute__((tls_model("initial-exec")));

static uint64_t kernel_ns(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage))
        return 0;
    return (uint64_t)usage.ru_stime.tv_sec * 1000000000u + (uint64_t)usage.ru_stime.tv_usec * 1000u;
}

void sca_kernel_time_begin(void)
{
    state.kernel_ns = kernel_ns();
    state.at_ns = sca_clock_now();
    state.rest_ns = 0;
}

unsigned sca_kernel_time_periods(unsigned periods, uint64_t unit_ns)
{
    uint64_t before_ns = state.kernel_ns, at_ns = state.at_ns, unseen_ns = state.rest_ns;
    sca_kernel_time_begin();
    if (sca_thread.in_mpi || at_ns < sca_interval_began() || !unit_ns ||
        state.kernel_ns <= before_ns)
        return periods;
    unseen_ns += state.kernel_ns - before_ns;
    uint64_t lots = unseen_ns / unit_ns;
    state.rest_ns = unseen_ns % unit_ns;
    return periods * (1 + (unsigned)(lots < MOST_LOTS ? lots : MOST_LOTS));
}
