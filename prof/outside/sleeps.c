/*
 * Sleeps. Those of a program that looks for messages, sleeps a little, and looks again (idle.h) are
 * naps: while a thread looks in vain, the CPU time that they take goes to sca_thread.nap_cpu_ns. To
 * fall asleep and wake up takes some 10 us, in a virtual machine whose host is busy ten times as
 * much, and none of it is computation. All others have a place (blocked_call.h).
 *
 * Any thread, in handlers too.
 */
#include "outside/blocked_call.h"
#include "calls/activity.h"

#include <time.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

struct sleep {
    uint64_t nap_ns;   /* the CPU time at a nap's beginning; 0: it is none */
    uint64_t began_ns; /* of one that has a place; 0: it has none */
};

static struct sleep begin(void)
{
    const struct sca_thread *t = &sca_thread;
    return (struct sleep){t->looks && !t->in_mpi && !t->in_tool ? sca_clock_cpu() : 0,
                          sca_blocked_call_begin()};
}

static void end(struct sleep sleep, unsigned function, const void *return_address, const void *cfa)
{
    if (sleep.nap_ns)
        sca_thread.nap_cpu_ns += sca_clock_cpu() - sleep.nap_ns;
    else if (sleep.began_ns)
        sca_blocked_call_end(function, sleep.began_ns, 0, return_address, cfa);
}

/* name, result, parameters, arguments */
#define FUNCTIONS(X)                                                                               \
    X(sleep, unsigned, (unsigned seconds), (seconds))                                              \
    X(usleep, int, (useconds_t us), (us))                                                          \
    X(nanosleep, int, (const struct timespec *time, struct timespec *left), (time, left))          \
    X(clock_nanosleep, int,                                                                        \
      (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),            \
      (clock, flags, time, left))

#define DEFINE(name, result, parameters, arguments)                                                \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED result name parameters                                                              \
    {                                                                                              \
        struct sleep sleep = begin();                                                              \
        result answer = next_##name() arguments;                                                   \
        end(sleep, SCA_OUTSIDE_##name, SCA_CALLER);                                                \
        return answer;                                                                             \
    }
FUNCTIONS(DEFINE)
