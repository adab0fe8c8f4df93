/* The library's clock sees a handler, not what the kernel does before and after it: five times as
 * much in a virtual machine, where an interrupt and each setting of a timer leave it. A loop that
 * does nothing but look at the clock sees all of it as a leap. */
#include "sampling/perf_clock.h"
#include "clock/clock.h"
#include "signals/own_signal.h"

#include <signal.h>
#include <stdlib.h>

enum {
    TRIES = 5,
    LEAST = 1, /* of tried leads in order: more is held up, the very least was as well, meanwhile */
    ONE_NS = 25000,        /* from setting the clock to a signal that is the last */
    NEXT_NS = 50000,       /* from signal to signal of one that runs on */
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

struct leap {
    uint64_t begin_ns, ns;
};

/* The next signal, or {0}. A look that finds it had not yet come at the reading before the last:
 * from there to a reading behind it is all it took. What came before the first look nobody saw. */
static struct leap await(unsigned before, uint64_t patience_ns)
{
    uint64_t begin_ns = sca_clock_now(), front_ns = begin_ns, now_ns = begin_ns;
    if (signals != before)
        return (struct leap){begin_ns, MOST_NS};
    while (signals == before && now_ns - begin_ns < patience_ns) {
        front_ns = now_ns;
        now_ns = sca_clock_now();
    }
    return signals == before ? (struct leap){0}
                             : (struct leap){front_ns, sca_clock_now() - front_ns};
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* One signal of a clock that is set for it and stopped by it. */
static bool try_single(const struct sca_perf_clock *clock, struct sca_perf_price *out)
{
    unsigned before = signals;
    uint64_t begin_ns = sca_clock_now();
    sca_perf_clock_set(clock, ONE_NS);
    sca_perf_clock_run(clock, 1);
    uint64_t run_ns = sca_clock_now();
    struct leap leap = await(before, NEVER_NS);
    uint64_t early_ns = run_ns + ONE_NS - least(leap.begin_ns, run_ns + ONE_NS);
    *out = (struct sca_perf_price){
        .signal_ns = leap.ns, .set_ns = run_ns - begin_ns, .lead_ns = least(early_ns, ONE_NS)};
    return leap.ns;
}

static int by_lead(const void *a, const void *b)
{
    const struct sca_perf_price *x = a, *y = b;
    return (x->lead_ns > y->lead_ns) - (x->lead_ns < y->lead_ns);
}

static bool try_singles(const struct sca_perf_clock *clock, struct sca_perf_price *out)
{
    struct sca_perf_price try[TRIES];
    *out = (struct sca_perf_price){MOST_NS, 0, MOST_NS, 0};
    for (int i = 0; i < TRIES; i++) {
        if (!try_single(clock, &try[i]))
            return false;
        out->signal_ns = least(out->signal_ns, try[i].signal_ns);
        out->set_ns = least(out->set_ns, try[i].set_ns);
    }
    qsort(try, TRIES, sizeof *try, by_lead);
    out->lead_ns = try[LEAST].lead_ns;
    return true;
}

/* Of a clock that runs on from signal to signal. */
static uint64_t try_several(const struct sca_perf_clock *clock)
{
    uint64_t least_ns = MOST_NS;
    unsigned first = signals;
    sca_perf_clock_set(clock, NEXT_NS);
    sca_perf_clock_run(clock, PATIENCE_NS / NEXT_NS);
    for (struct leap leap = {0}; signals - first < TRIES; least_ns = least(least_ns, leap.ns)) {
        leap = await(signals, PATIENCE_NS);
        if (!leap.ns)
            break;
    }
    return least_ns;
}

static struct sca_perf_price try_clock(int number)
{
    struct sca_perf_clock clock = {.descriptor = SCA_NO_CLOCK};
    struct sca_perf_price price = {0};
    signals = 0;
    if (!sca_perf_clock_open(&clock, ONE_NS, number))
        return price;
    if (try_singles(&clock, &price)) {
        uint64_t last_ns = price.signal_ns;
        price.signal_ns = least(last_ns, try_several(&clock));
        price.stop_ns = last_ns - price.signal_ns;
    } else {
        price = (struct sca_perf_price){0};
    }
    sca_perf_clock_close(&clock);
    return price;
}

struct sca_perf_price sca_perf_cost_measure(void)
{
    struct sca_perf_price price = {0};
    int number = sca_own_signal_take(count);
    if (!number)
        return price;
    price = try_clock(number);
    sca_own_signal_leave(count);
    return price;
}
