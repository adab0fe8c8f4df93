/*
 * Naps between looks (idle.h): a program that waits for a message may look, sleep a little, and
 * look again. usleep, nanosleep and clock_nanosleep are interposed; while a thread looks in vain,
 * the CPU time that they take goes to sca_thread.nap_cpu_ns. To fall asleep and wake up takes some
 * 10 us, in a virtual machine whose host is busy ten times as much, and none of it is computation.
 *
 * Everything else passes through at the cost of a call. Any thread, in handlers too.
 */
#include "base/guard.h"
#include "clock/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

static struct {
    int (*usleep)(useconds_t);
    int (*nanosleep)(const struct timespec *, struct timespec *);
    int (*clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
} next;

/* At load: a sleep may come from places where nothing can be looked up. What sleeps before that
 * goes to the kernel by itself. */
__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next.usleep = dlsym(RTLD_NEXT, "usleep");
    *(void **)&next.nanosleep = dlsym(RTLD_NEXT, "nanosleep");
    *(void **)&next.clock_nanosleep = dlsym(RTLD_NEXT, "clock_nanosleep");
}

/* The CPU time at a nap's beginning; 0: this is none. */
static uint64_t begin_nap(void)
{
    const struct sca_thread *t = &sca_thread;
    return t->looks && !t->in_mpi && !t->in_tool ? sca_clock_cpu() : 0;
}

static void end_nap(uint64_t began_ns)
{
    if (began_ns)
        sca_thread.nap_cpu_ns += sca_clock_cpu() - began_ns;
}

INTERPOSED int usleep(useconds_t us)
{
    struct timespec time = {us / 1000000, (long)(us % 1000000) * 1000};
    uint64_t began_ns = begin_nap();
    int result = next.usleep ? next.usleep(us) : (int)syscall(SYS_nanosleep, &time, NULL);
    end_nap(began_ns);
    return result;
}

INTERPOSED int nanosleep(const struct timespec *time, struct timespec *left)
{
    uint64_t began_ns = begin_nap();
    int result =
        next.nanosleep ? next.nanosleep(time, left) : (int)syscall(SYS_nanosleep, time, left);
    end_nap(began_ns);
    return result;
}

/* Returns the error instead of setting errno. */
static int ask_kernel(clockid_t clock, int flags, const struct timespec *time,
                      struct timespec *left)
{
    int before = errno;
    int error = syscall(SYS_clock_nanosleep, clock, flags, time, left) < 0 ? errno : 0;
    errno = before;
    return error;
}

INTERPOSED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                               struct timespec *left)
{
    uint64_t began_ns = begin_nap();
    int error =
        (next.clock_nanosleep ? next.clock_nanosleep : ask_kernel)(clock, flags, time, left);
    end_nap(began_ns);
    return error;
}
