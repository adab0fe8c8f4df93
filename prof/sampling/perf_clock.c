#include "sampling/perf_clock.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static bool signal_this_thread(int fd, int signal_number)
{
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    return !sca_descriptor_control(fd, F_SETFL, O_NONBLOCK | O_ASYNC) &&
           !sca_descriptor_control(fd, F_SETSIG, (uintptr_t)signal_number) &&
           !sca_descriptor_control(fd, F_SETOWN_EX, (uintptr_t)&owner);
}

bool sca_perf_clock_open(struct sca_perf_clock *clock, uint64_t distance_ns, int signal_number)
{
    *clock = (struct sca_perf_clock){.descriptor = open_event(distance_ns)};
    if (clock->descriptor < 0)
        return false;
    if (!ioctl(clock->descriptor, PERF_EVENT_IOC_ID, &clock->id) &&
        signal_this_thread(clock->descriptor, signal_number))
        return true;
    int error = errno;
    close(clock->descriptor);
    clock->descriptor = SCA_NO_CLOCK;
    errno = error;
    return false;
}

static bool is_ours(const struct sca_perf_clock *clock)
{
    uint64_t id;
    return clock->descriptor != SCA_NO_CLOCK && !ioctl(clock->descriptor, PERF_EVENT_IOC_ID, &id) &&
           id == clock->id;
}

void sca_perf_clock_close(struct sca_perf_clock *clock)
{
    if (is_ours(clock))
        close(clock->descriptor);
    *clock = (struct sca_perf_clock){.descriptor = SCA_NO_CLOCK};
}

void sca_perf_clock_set(const struct sca_perf_clock *clock, uint64_t distance_ns)
{
    ioctl(clock->descriptor, PERF_EVENT_IOC_PERIOD, &distance_ns);
}

void sca_perf_clock_run(const struct sca_perf_clock *clock, unsigned signals)
{
    ioctl(clock->descriptor, PERF_EVENT_IOC_REFRESH, signals);
}
