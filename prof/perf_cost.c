/* The library's clock sees a handler, not what the kernel does before and after it: five times as
 * much in a virtual machine, where an interrupt and each setting of a timer leave it. A loop that
 * does nothing but look at the clock sees all of it as a leap. */
#include "perf_clock.h"
#include "clock.h"
#include "sampler_backend.h"
#include "trap.h"

#include <signal.h>

enum {
    DISTANCE_NS = 25000,
    TRIES = 5,
    PATIENCE_NS = 1000000, /* two that fall together are one signal, so some may never come */
    NEVER_NS = 50000000,   /* until the first */
    MOST_NS = 50000
};

static _Thread_local volatile unsigned signals __attribute__((tls_model("initial-exec")));

static void count(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)info;
    (void)ucontext;
    signals++;
}

/* A signal that a look finds came since the look before: from the clock's reading in front of that
 * one to the reading behind this one is all it took. */
static uint64_t least_leap(const struct sca_perf_clock *clock, bool single)
{
    uint64_t begin_ns = sca_clock_now(), front_ns = begin_ns, least_ns = UINT64_MAX;
    unsigned seen = 0;
    for (uint64_t now_ns = begin_ns;
         seen < TRIES && now_ns - begin_ns < (seen ? PATIENCE_NS : NEVER_NS);) {
        uint64_t before_ns = front_ns;
        unsigned found = signals;
        if (found != seen && single)
            sca_perf_run(clock, 1);
        front_ns = now_ns;
        now_ns = sca_clock_now();
        if (found != seen && now_ns - before_ns < least_ns)
            least_ns = now_ns - before_ns;
        seen = found;
    }
    return !seen ? 0 : least_ns < MOST_NS ? least_ns : MOST_NS;
}

static uint64_t try_clock(int number, bool single)
{
    struct sca_perf_clock clock = {.descriptor = SCA_NO_CLOCK};
    uint64_t cost_ns = 0;
    signals = 0;
    if (sca_perf_open(&clock, DISTANCE_NS, number)) {
        sca_perf_run(&clock, single ? 1 : TRIES);
        cost_ns = least_leap(&clock, single);
        sca_perf_close(&clock);
    }
    return cost_ns;
}

uint64_t sca_perf_cost_ns(bool single)
{
    struct sca_signal_trial trial;
    int number = sca_signal_try(count, &trial);
    uint64_t cost_ns = number ? try_clock(number, single) : 0;
    if (number)
        sca_signal_tried(&trial);
    return cost_ns;
}

static void count_ours(int number, siginfo_t *info, void *ucontext)
{
    if (sca_perf_is_trap(info))
        count(number, info, ucontext);
    else
        sca_trap_pass_on(number, info, ucontext);
}

uint64_t sca_perf_trap_cost_ns(void)
{
    if (!sca_trap_take(count_ours))
        return 0;
    uint64_t cost_ns = try_clock(SIGTRAP, false);
    sca_trap_give_back();
    return cost_ns;
}
