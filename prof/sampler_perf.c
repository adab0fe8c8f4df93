/*
 * Sampling by the kernel's task clock, asked of the kernel itself: without counters to read beside
 * it PAPI would do the same, but its start takes 3 MB and some milliseconds of each rank. One
 * descriptor per thread; each overflow sends that thread a real-time signal (perf_event_open(2),
 * "Overflow handling"). As with PAPI, time inside the kernel is not sampled.
 */
#include "sampler_backend.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int signal_number;
static uint64_t period_ns;

enum { NONE = -1 };
static _Thread_local int descriptor __attribute__((tls_model("initial-exec"))) = NONE;

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    if (info->si_code == POLL_IN && info->si_fd == descriptor)
        sca_sampler_hit(ucontext, 1, NULL);
}

static int open_clock(void)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .sample_period = period_ns,
                                         .wakeup_events = 1,
                                         .disabled = 1,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool signal_this_thread(int fd)
{
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    return !fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) && !fcntl(fd, F_SETSIG, signal_number) &&
           !fcntl(fd, F_SETOWN_EX, &owner);
}

static void thread_stop(void)
{
    int fd = descriptor;
    descriptor = NONE;
    if (fd == NONE)
        return;
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    close(fd);
}

static bool thread_start(void)
{
    descriptor = open_clock();
    if (descriptor == NONE)
        return false;
    if (signal_this_thread(descriptor) && !ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0))
        return true;
    int error = errno;
    thread_stop();
    errno = error;
    return false;
}

static const char *start(struct sca_sampling *sampling)
{
    period_ns = 1000000000u / sampling->frequency;
    if (!signal_number)
        signal_number = sca_signal_take(on_signal);
    if (!signal_number)
        return "no free real-time signal";
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_kernel_clock = {.name = "perf::TASK-CLOCK",
                                                     .start = start,
                                                     .thread_start = thread_start,
                                                     .thread_stop = thread_stop};
