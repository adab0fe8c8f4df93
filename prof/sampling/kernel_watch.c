#include "sampling/kernel_watch.h"
#include "base/guard.h"
#include "clock/clock.h"
#include "sampling/sampler_backend.h"
#include "sampling/sampler_rate.h"
#include "signals/own_signal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The calling thread's clocks as its ticks count them (include/linux/posix-timers.h in the kernel's
 * sources): all of its CPU time, and that in its own code. */
#define THREAD_ALL ((clockid_t)(~0u << 3 | 4 | 0))
#define THREAD_OWN ((clockid_t)(~0u << 3 | 4 | 1))

/* Task work for these timers came with 5.9, and with the next long-lived one to all x86 kernels. */
enum { LEAST_MAJOR = 5, LEAST_MINOR = 10 };

enum { OWN_TICKS = 2 }; /* at most, before a tick in the kernel that is told at once */

static int signal_number;
static uint64_t period_ns, tick_ns;
static const char mark; /* its address tells our timers' signals from others */

struct reading {
    uint64_t all_ns, kernel_ns;
};

struct kernel_watch {
    timer_t timer;
    volatile bool on;
    bool looks;                /* the next signal is of the tick after the last one */
    struct reading last;       /* at the last signal */
    uint64_t looked_at_cpu_ns; /* by the thread's exact CPU clock */
};
static _Thread_local struct kernel_watch mine __attribute__((tls_model("initial-exec")));

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now = {0};
    syscall(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct reading read_clocks(void)
{
    uint64_t own_ns = read_ns(THREAD_OWN), all_ns = read_ns(THREAD_ALL);
    return (struct reading){all_ns, all_ns > own_ns ? all_ns - own_ns : 0};
}

/* By chance one more or less, so that sums stay true. */
static unsigned round_by_chance(double periods)
{
    unsigned whole = (unsigned)periods;
    double rest = periods - whole;
    return whole + ((double)(sca_sampler_distance_random() % 1024) < rest * 1024);
}

/* A tick stands for all CPU time since the one that was looked at before: on busy cores a thread
 * may have a third more ticks than its CPU time asks for, or fewer. A long system call has several.
 * Several in the program's own code: it blocked the signal, and where these were is not known. */
static unsigned worth(const struct reading *now)
{
    uint64_t cpu_ns = sca_clock_cpu(), since_ns = cpu_ns - mine.looked_at_cpu_ns;
    uint64_t all_ns = now->all_ns - mine.last.all_ns;
    uint64_t kernel_ns = now->kernel_ns - mine.last.kernel_ns;
    mine.looked_at_cpu_ns = cpu_ns;
    if (now->kernel_ns <= mine.last.kernel_ns || all_ns - kernel_ns > OWN_TICKS * tick_ns)
        return 0;
    return round_by_chance((double)since_ns * ((double)kernel_ns / (double)all_ns) /
                           (double)period_ns);
}

/* At a time of the thread's clock: at the first tick that finds it there. */
static void set_timer(uint64_t at_ns)
{
    struct itimerspec at = {
        .it_value = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)}};
    timer_settime(mine.timer, TIMER_ABSTIME, &at, NULL);
}

/* The next tick to look at comes so far behind that one: then the tick before it says from where
 * the time in the kernel is to grow. */
static void aim(uint64_t now_ns)
{
    uint64_t distance_ns = sca_sampler_distance(period_ns * sca_sampler_rate_periods());
    bool rests = mine.looks && distance_ns > tick_ns + tick_ns / 2;
    mine.looks = !rests;
    set_timer(now_ns + (rests ? distance_ns - tick_ns : 1));
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    int kept = errno;
    uint64_t begin_ns = sca_clock_now();
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark && mine.on) {
        struct reading now = read_clocks();
        unsigned periods = mine.looks ? worth(&now) : 0;
        mine.last = now;
        aim(now.all_ns);
        sca_sampler_hit_in_kernel(ucontext, sca_thread.in_mpi ? 0 : periods, begin_ns);
    }
    errno = kept;
}

/* Older kernels send the signal in the midst of system calls. */
static bool has_task_work(void)
{
    struct utsname system;
    unsigned major, minor;
    return !uname(&system) && sscanf(system.release, "%u.%u", &major, &minor) == 2 &&
           (major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR));
}

bool sca_kernel_watch_prepare(uint64_t of_period_ns)
{
    struct timespec tick;
    if (!has_task_work() || clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
        return false;
    period_ns = of_period_ns;
    tick_ns = (uint64_t)tick.tv_nsec;
    if (!signal_number)
        signal_number = sca_own_signal_take(on_signal);
    return signal_number != 0;
}

void sca_kernel_watch_begin(void)
{
    if (!signal_number || !sca_sampler_signal_timer(THREAD_ALL, (int)syscall(SYS_gettid),
                                                    signal_number, &mark, &mine.timer))
        return;
    mine.last = read_clocks();
    mine.looked_at_cpu_ns = sca_clock_cpu();
    mine.looks = true;
    mine.on = true;
    set_timer(mine.last.all_ns + 1);
}

void sca_kernel_watch_end(void)
{
    if (mine.on)
        timer_delete(mine.timer);
    mine.on = false;
}
