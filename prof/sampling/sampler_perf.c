/*
 * Sampling by the kernel's task clock, asked of the kernel itself: without counters to read beside
 * it PAPI would do the same, but its start takes 3 MB and some milliseconds of each rank. One
 * clock per thread; each overflow sends that thread the library's signal. As with PAPI, time inside
 * the kernel is not sampled (kernel_watch.h does that).
 *
 * The kernel sets a timer at each switch to the thread and takes it back at each switch from it; in
 * a virtual machine each of the two is several microseconds. So where ranks share cores, the clock
 * runs in some stretches between waits only, and is closed in between: even one that stands makes a
 * switch dearer. Where it runs all the time, it is set for several samples at once.
 */
#include "clock/clock.h"
#include "sampling/perf_clock.h"
#include "sampling/sampler_backend.h"
#include "sampling/sampler_stretch.h"
#include "signals/own_signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum {
    COLDER = 4 /* cold caches make the lead longer by that part than it was tried */
};

static int signal_number;
static uint64_t period_ns;
static struct sca_perf_price price;

struct task_clock {
    struct sca_perf_clock clock;
    bool on;
    unsigned periods; /* that a sample stands for */
};
static _Thread_local struct task_clock mine
    __attribute__((tls_model("initial-exec"))) = {.clock.descriptor = SCA_NO_CLOCK};

/* By the kernel's clock, which goes while the kernel sets it, too. Without that, aims close by
 * would be reached before the program goes on, and the timer interrupt the kernel again and again.
 */
static uint64_t distance_of(const struct sca_aim *aim)
{
    return aim->distance_ns + (aim->samples > 1 ? 0 : price.lead_ns + price.lead_ns / COLDER);
}

/* As far as the aim goes. While the program blocks signals no more queue up than that, all to tell
 * of the place where it lets them through. */
static void arm(void)
{
    uint64_t begin_ns = sca_clock_now();
    struct sca_aim aim = sca_sampler_stretch_aim(period_ns, false);
    mine.periods = aim.periods;
    sca_perf_clock_set(&mine.clock, distance_of(&aim));
    sca_perf_clock_run(&mine.clock, aim.samples);
    sca_sampler_spent(begin_ns - price.stop_ns); /* which the signal before took, too */
}

static bool is_of(const struct sca_perf_clock *clock, const siginfo_t *info)
{
    bool ready = info->si_code == POLL_IN || info->si_code == POLL_HUP;
    return ready && info->si_fd == clock->descriptor;
}

/* Without telling whose it is when the user's queue of signals is full: SIGIO. */
static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    int kept = errno;
    bool untold = number == SIGIO;
    if (mine.on && (untold || is_of(&mine.clock, info))) {
        sca_sampler_hit(ucontext, mine.periods, NULL);
        if (untold || info->si_code == POLL_HUP)
            arm();
    }
    errno = kept;
}

static void run(bool on)
{
    mine.on = false;
    sca_perf_clock_close(&mine.clock);
    if (!on)
        return;
    struct sca_aim aim = sca_sampler_stretch_aim(period_ns, true);
    mine.periods = aim.periods;
    mine.on = sca_perf_clock_open(&mine.clock, distance_of(&aim), signal_number);
    if (mine.on)
        sca_perf_clock_run(&mine.clock, aim.samples);
}

static void thread_stop(void)
{
    sca_sampler_stretch_stop();
    run(false);
}

static bool thread_start(void)
{
    run(true);
    if (mine.on && sca_clock_is_crowded())
        sca_sampler_stretch_start(run, period_ns);
    return mine.on;
}

static const char *start(struct sca_sampling *sampling)
{
    period_ns = 1000000000u / sampling->frequency;
    if (!signal_number)
        signal_number = sca_own_signal_take(on_signal);
    if (!signal_number)
        return "no signal is available";
    sca_own_signal_take_substitute();
    price = sca_perf_cost_measure();
    sampling->outside_ns = price.signal_ns;
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_kernel_clock = {.name = "perf::TASK-CLOCK",
                                                     .start = start,
                                                     .thread_start = thread_start,
                                                     .thread_stop = thread_stop,
                                                     .follows_rate = true,
                                                     .pause = sca_sampler_stretch_wait,
                                                     .part = sca_sampler_stretch_part};
