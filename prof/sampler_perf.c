/*
 * Sampling by the kernel's task clock, asked of the kernel itself: without counters to read beside
 * it PAPI would do the same, but its start takes 3 MB and some milliseconds of each rank. One
 * descriptor per thread; each overflow sends that thread a real-time signal (perf_event_open(2),
 * "Overflow handling"). As with PAPI, time inside the kernel is not sampled.
 *
 * The kernel sets a timer at each switch to the thread and takes it back at each switch from it; in
 * a virtual machine each of the two is several microseconds. So where ranks share cores, the clock
 * runs in some stretches between waits only, and is closed in between: even one that stands makes a
 * switch dearer.
 */
#include "clock.h"
#include "descriptor.h"
#include "sampler_backend.h"
#include "sampler_stretch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NONE = -1 };

static int signal_number;
static uint64_t period_ns;

struct task_clock {
    int descriptor;
    bool on;
    unsigned periods; /* that the next sample stands for */
    uint64_t id;      /* the kernel's: the program may have closed our descriptor and reused it */
};
static _Thread_local struct task_clock mine
    __attribute__((tls_model("initial-exec"))) = {.descriptor = NONE};

/* One overflow at a time. While the program blocks signals they would queue up, all to tell of the
 * place where it lets them through, and fill the user's queue. The distance is set while the clock
 * stands: one that runs would be stopped and begun again for it. */
static void arm(void)
{
    struct sca_aim aim = sca_stretch_aim(period_ns, false);
    mine.periods = aim.periods;
    ioctl(mine.descriptor, PERF_EVENT_IOC_PERIOD, &aim.distance_ns);
    ioctl(mine.descriptor, PERF_EVENT_IOC_REFRESH, 1);
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    int kept = errno;
    bool ours = number == SIGIO || (info->si_code == POLL_HUP && info->si_fd == mine.descriptor);
    if (ours && mine.descriptor != NONE) {
        sca_sampler_hit(ucontext, mine.periods, NULL);
        if (mine.on)
            arm();
    }
    errno = kept;
}

static int open_event(uint64_t distance_ns)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .sample_period = distance_ns,
                                         .wakeup_events = 1,
                                         .disabled = 1,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? fd : sca_descriptor_move(fd);
}

static bool signal_this_thread(int fd)
{
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    return !fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) && !fcntl(fd, F_SETSIG, signal_number) &&
           !fcntl(fd, F_SETOWN_EX, &owner);
}

static bool is_ours(void)
{
    uint64_t id;
    return mine.descriptor != NONE && !ioctl(mine.descriptor, PERF_EVENT_IOC_ID, &id) &&
           id == mine.id;
}

static void close_clock(void)
{
    if (is_ours())
        close(mine.descriptor);
    mine = (struct task_clock){.descriptor = NONE};
}

static bool open_clock(void)
{
    struct sca_aim aim = sca_stretch_aim(period_ns, true);
    mine = (struct task_clock){.descriptor = open_event(aim.distance_ns), .periods = aim.periods};
    if (mine.descriptor == NONE)
        return false;
    if (!ioctl(mine.descriptor, PERF_EVENT_IOC_ID, &mine.id) && signal_this_thread(mine.descriptor))
        return true;
    int error = errno;
    close(mine.descriptor);
    mine.descriptor = NONE;
    errno = error;
    return false;
}

static void run(bool on)
{
    mine.on = false;
    close_clock();
    if (!on || !open_clock())
        return;
    mine.on = true;
    ioctl(mine.descriptor, PERF_EVENT_IOC_REFRESH, 1);
}

static void thread_stop(void)
{
    sca_stretch_stop();
    close_clock();
}

static bool thread_start(void)
{
    run(true);
    if (mine.on && sca_clock_is_crowded())
        sca_stretch_start(run, period_ns);
    return mine.on;
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

static const char *start(struct sca_sampling *sampling)
{
    period_ns = 1000000000u / sampling->frequency;
    if (!signal_number)
        signal_number = sca_signal_take(on_signal);
    if (!signal_number)
        return "no free real-time signal";
    take_substitute();
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_kernel_clock = {.name = "perf::TASK-CLOCK",
                                                     .start = start,
                                                     .thread_start = thread_start,
                                                     .thread_stop = thread_stop,
                                                     .follows_rate = true,
                                                     .pause = sca_stretch_wait};
