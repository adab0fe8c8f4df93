#include "perf_clock.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRAPPED_BY_PERF = 6 }; /* si_code; not in every C library's headers */

/* Ours have this above the number of the clock; no pointer has. */
static const uint64_t ours = 0x5ca1a9aull << 36;
static _Thread_local uint32_t opened __attribute__((tls_model("initial-exec")));

/* The C library need not know them: <asm-generic/siginfo.h>, of a fault. */
struct trap_info {
    int number, error, code, unused;
    void *address;
    uint64_t mark;
};

#ifdef PERF_ATTR_SIZE_VER7
static bool set_trap(struct perf_event_attr *attributes, uint64_t mark)
{
    attributes->sigtrap = 1;
    attributes->remove_on_exec = 1; /* or the kernel refuses it */
    attributes->sig_data = mark;
    return true;
}
#else
static bool set_trap(struct perf_event_attr *attributes, uint64_t mark)
{
    (void)attributes;
    (void)mark;
    errno = EINVAL;
    return false;
}
#endif

static int open_event(uint64_t distance_ns, uint64_t mark)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .sample_period = distance_ns,
                                         .wakeup_events = 1,
                                         .disabled = 1,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    if (mark && !set_trap(&attributes, mark))
        return -1;
    int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? fd : sca_descriptor_move(fd);
}

static bool signal_this_thread(int fd, int signal_number)
{
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    return !fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) && !fcntl(fd, F_SETSIG, signal_number) &&
           !fcntl(fd, F_SETOWN_EX, &owner);
}

bool sca_perf_open(struct sca_perf_clock *clock, uint64_t distance_ns, int signal_number)
{
    uint64_t mark = signal_number == SIGTRAP ? ours | ++opened : 0;
    *clock = (struct sca_perf_clock){.descriptor = open_event(distance_ns, mark), .mark = mark};
    if (clock->descriptor < 0)
        return false;
    if (!ioctl(clock->descriptor, PERF_EVENT_IOC_ID, &clock->id) &&
        (mark || signal_this_thread(clock->descriptor, signal_number)))
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

void sca_perf_close(struct sca_perf_clock *clock)
{
    if (is_ours(clock))
        close(clock->descriptor);
    *clock = (struct sca_perf_clock){.descriptor = SCA_NO_CLOCK};
}

void sca_perf_set(const struct sca_perf_clock *clock, uint64_t distance_ns)
{
    ioctl(clock->descriptor, PERF_EVENT_IOC_PERIOD, &distance_ns);
}

void sca_perf_run(const struct sca_perf_clock *clock, unsigned signals)
{
    if (clock->mark)
        ioctl(clock->descriptor, PERF_EVENT_IOC_ENABLE, 0);
    else
        ioctl(clock->descriptor, PERF_EVENT_IOC_REFRESH, signals);
}

static uint64_t mark_of(const siginfo_t *info)
{
    struct trap_info trap;
    if (info->si_signo != SIGTRAP || info->si_code != TRAPPED_BY_PERF)
        return 0;
    memcpy(&trap, info, sizeof trap);
    return trap.mark;
}

bool sca_perf_is_trap(const siginfo_t *info)
{
    return mark_of(info) >> 36 == ours >> 36;
}

bool sca_perf_sent(const struct sca_perf_clock *clock, const siginfo_t *info)
{
    return clock->mark ? mark_of(info) == clock->mark : info->si_fd == clock->descriptor;
}
