/*
 * Sampling by the kernel's task clock, asked of the kernel itself: without counters to read beside
 * it PAPI would do the same, but its start takes 3 MB and some milliseconds of each rank. One
 * descriptor per thread; each overflow sends that thread a real-time signal (perf_event_open(2),
 * "Overflow handling"). As with PAPI, time inside the kernel is not sampled.
 *
 * The kernel sets a timer at each switch to the thread and takes it back at each switch from it.
 * So where ranks share cores, the clock runs in turns and not while the thread waits.
 */
#include "clock.h"
#include "descriptor.h"
#include "sampler_backend.h"
#include "sampler_rate.h"
#include "sampler_turns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NONE = -1, TRIES = 8, SOON_NS = 100000 };

static int signal_number;
static uint64_t period_ns;

struct task_clock {
    int descriptor;
    bool on;
    unsigned periods; /* that the next sample stands for */
    bool fresh;       /* just opened */
    bool armed;       /* one more overflow is allowed for, and has not come */
    uint64_t id;      /* the kernel's: the program may have closed our descriptor and reused it */
};
static _Thread_local struct task_clock mine
    __attribute__((tls_model("initial-exec"))) = {.descriptor = NONE};

/* The first one on average half as far: the clock comes into the midst of things. */
static void set_distance(void)
{
    mine.periods = sca_rate_periods();
    uint64_t period = period_ns * mine.periods / sca_turns_share();
    uint64_t distance = sca_sampler_distance(period);
    if (mine.fresh)
        distance -= period / 2 - 1;
    mine.fresh = false;
    ioctl(mine.descriptor, PERF_EVENT_IOC_PERIOD, &distance);
}

/* A clock that is begun anew has some 10 us to go, so its distance is set after that. */
static void arm(void)
{
    mine.armed = !ioctl(mine.descriptor, PERF_EVENT_IOC_REFRESH, 1);
    set_distance();
}

/* One overflow at a time. While the program blocks signals they would queue up, all to tell of the
 * place where it lets them through, and fill the user's queue. */
static void go_on(void)
{
    mine.on = true;
    if (mine.armed)
        ioctl(mine.descriptor, PERF_EVENT_IOC_ENABLE, 0);
    else
        arm();
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    int kept = errno;
    bool ours = number == SIGIO || (info->si_code == POLL_HUP && info->si_fd == mine.descriptor);
    if (ours && mine.descriptor != NONE) {
        sca_sampler_hit(ucontext, mine.periods, NULL);
        mine.armed = false;
        if (mine.on)
            arm();
    }
    errno = kept;
}

static int open_event(void)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .sample_period = sca_sampler_distance(period_ns),
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
    mine = (struct task_clock){.descriptor = open_event(), .fresh = true};
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

/* Even a clock that stands makes a switch dearer, so it is closed for longer than a wait. */
static void run(enum sca_turn turn)
{
    mine.on = false;
    if (turn == SCA_TURN_OFF)
        close_clock();
    else if (turn == SCA_TURN_WAIT)
        ioctl(mine.descriptor, PERF_EVENT_IOC_DISABLE, 0);
    else if (mine.descriptor != NONE || open_clock())
        go_on();
}

/* Starting and stopping the clock, as at a switch: the least of a few, the first ones being cold.
 * Its timer is the kernel's next one then, as it is when the clock runs in turns, and has to be
 * programmed: in a virtual machine that takes several times as long as all the rest. */
static uint64_t switch_cost_ns(void)
{
    uint64_t least = UINT64_MAX, soon = SOON_NS;
    run(SCA_TURN_ON);
    ioctl(mine.descriptor, PERF_EVENT_IOC_PERIOD, &soon);
    run(SCA_TURN_WAIT);
    for (int i = 0; i < TRIES; i++) {
        uint64_t begin = sca_clock_now();
        run(SCA_TURN_ON);
        run(SCA_TURN_WAIT);
        uint64_t took = sca_clock_now() - begin;
        least = took < least ? took : least;
    }
    mine.fresh = true;
    set_distance();
    return least;
}

static void thread_stop(void)
{
    sca_turns_stop();
    close_clock();
}

static bool thread_start(void)
{
    if (!open_clock())
        return false;
    if (sca_clock_is_crowded())
        sca_turns_start(run, set_distance, switch_cost_ns());
    else
        run(SCA_TURN_ON);
    return true;
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
                                                     .pause = sca_turns_pause};
