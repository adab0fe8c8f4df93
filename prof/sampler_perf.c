/*
 * Sampling by the kernel's task clock, asked of the kernel itself: without counters to read beside
 * it PAPI would do the same, but its start takes 3 MB and some milliseconds of each rank. One
 * clock per thread; each overflow sends that thread a real-time signal. As with PAPI, time inside
 * the kernel is not sampled.
 *
 * The kernel sets a timer at each switch to the thread and takes it back at each switch from it; in
 * a virtual machine each of the two is several microseconds. So where ranks share cores, the clock
 * runs in some stretches between waits only, and is closed in between: even one that stands makes a
 * switch dearer. For the same reason it runs for several samples once it is set.
 */
#include "arena.h"
#include "clock.h"
#include "perf_clock.h"
#include "sampler_backend.h"
#include "sampler_stretch.h"
#include "trap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum {
    HANDLER_NS = 6000, /* of a sample, with cold caches */
    CHEAPER = 4,       /* a trap is worth it if it saves this part */
    WORTH_NS = 3000    /* and so much: debuggers see each (trap.h) */
};

static int signal_number; /* SIGTRAP where that is cheaper, else a real-time signal */
static uint64_t period_ns, outside_ns, sample_ns;

struct task_clock {
    struct sca_perf_clock clock;
    bool on;
    unsigned periods, left; /* that a sample stands for; samples until the next aim */
};
static _Thread_local struct task_clock mine
    __attribute__((tls_model("initial-exec"))) = {.clock.descriptor = SCA_NO_CLOCK};

static void follow(const struct sca_aim *aim)
{
    mine.periods = aim->periods;
    mine.left = aim->samples;
    sca_perf_run(&mine.clock, aim->samples);
}

/* As far as the aim goes. While the program blocks signals no more queue up than that, all to tell
 * of the place where it lets them through. */
static void arm(void)
{
    uint64_t begin_ns = sca_clock_now();
    struct sca_aim aim = sca_stretch_aim(period_ns, false);
    sca_perf_set(&mine.clock, aim.distance_ns);
    follow(&aim);
    sca_sampler_spent(begin_ns);
}

static void hit(void *ucontext, bool stopped)
{
    sca_sampler_hit(ucontext, mine.periods, NULL);
    mine.left -= mine.left > 0;
    if (mine.clock.mark ? !mine.left : stopped)
        arm();
}

/* Without telling whose it is when the user's queue of signals is full: SIGIO (see below). */
static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    int kept = errno;
    bool untold = number == SIGIO && !mine.clock.mark;
    if (mine.on && (untold || sca_perf_sent(&mine.clock, info)))
        hit(ucontext, untold || info->si_code == POLL_HUP);
    errno = kept;
}

static void on_trap(int number, siginfo_t *info, void *ucontext)
{
    if (sca_perf_is_trap(info))
        on_signal(number, info, ucontext);
    else
        sca_trap_pass_on(number, info, ucontext);
}

/* When the user's queue of signals is full, by whomever, the kernel sends SIGIO in the place of the
 * one it is told to: unhandled that would end the program. */
static void take_substitute(void)
{
    struct sigaction old, mine_too = {.sa_flags = SA_SIGINFO | SA_RESTART};
    mine_too.sa_sigaction = on_signal;
    sigfillset(&mine_too.sa_mask);
    if (!sigaction(SIGIO, NULL, &old) && old.sa_handler == SIG_DFL)
        sigaction(SIGIO, &mine_too, NULL);
}

static int take_real_time(void)
{
    int number = sca_signal_take(on_signal);
    if (number)
        take_substitute();
    return number;
}

/* The program may have found a way to SIGTRAP that is not watched: then it is its own again. */
static int signal_now(void)
{
    int number = __atomic_load_n(&signal_number, __ATOMIC_RELAXED);
    if (number != SIGTRAP || sca_trap_is_taken())
        return number;
    number = take_real_time();
    __atomic_store_n(&signal_number, number, __ATOMIC_RELAXED);
    return number;
}

static void run(bool on)
{
    mine.on = false;
    sca_perf_close(&mine.clock);
    int number = on ? signal_now() : 0;
    if (!number)
        return;
    struct sca_aim aim = sca_stretch_aim(period_ns, true);
    mine.on = sca_perf_open(&mine.clock, aim.distance_ns, number);
    if (mine.on)
        follow(&aim);
}

static void thread_stop(void)
{
    sca_stretch_stop();
    run(false);
}

static bool thread_start(void)
{
    run(true);
    if (mine.on && sca_clock_is_crowded())
        sca_stretch_start(run, period_ns, sample_ns);
    return mine.on;
}

/* What a sample costs outside its handler, by the signal that takes less. */
static uint64_t choose_signal(void)
{
    uint64_t cost_ns = sca_perf_cost_ns(false);
    uint64_t trap_ns = cost_ns > WORTH_NS ? sca_perf_trap_cost_ns() : 0;
    if (trap_ns && trap_ns + WORTH_NS < cost_ns && trap_ns < cost_ns - cost_ns / CHEAPER &&
        sca_trap_take(on_trap)) {
        signal_number = SIGTRAP;
        sca_arena_meta("sampling.signal", "SIGTRAP");
        return trap_ns;
    }
    signal_number = take_real_time();
    return cost_ns;
}

static const char *start(struct sca_sampling *sampling)
{
    period_ns = 1000000000u / sampling->frequency;
    if (!signal_number)
        outside_ns = choose_signal();
    if (!signal_number)
        return "no free real-time signal";
    sampling->outside_ns = outside_ns;
    sample_ns = outside_ns + HANDLER_NS;
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_kernel_clock = {.name = "perf::TASK-CLOCK",
                                                     .start = start,
                                                     .thread_start = thread_start,
                                                     .thread_stop = thread_stop,
                                                     .follows_rate = true,
                                                     .pause = sca_stretch_wait,
                                                     .part = sca_stretch_part};
