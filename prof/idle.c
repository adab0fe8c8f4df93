#include "idle.h"
#include "clock.h"
#include "cpu_time.h"
#include "guard.h"
#include "sampler.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Most waits are over after one or two yields; most others last for hundreds. */
enum { PATIENT = 3 };

typedef int yield_function(void);
static yield_function *next;

/* At load, since a yield may come from places where nothing can be looked up. */
__attribute__((constructor)) static void find_next(void)
{
    next = (yield_function *)dlsym(RTLD_NEXT, "sched_yield");
}

static void count_yield(struct sca_thread *t)
{
    if (t->yields == PATIENT)
        return;
    t->clocked_yields++;
    if (++t->yields < PATIENT)
        return;
    t->clocked_yields++; /* what this costs, and going on afterwards */
    sca_sampler_pause(true);
}

void sca_idle_over(void)
{
    struct sca_thread *t = &sca_thread;
    if (t->yields == PATIENT)
        sca_sampler_pause(false);
    t->yields = 0;
}

static int yield(void)
{
    return next ? next() : (int)syscall(SYS_sched_yield);
}

__attribute__((visibility("default"))) int sched_yield(void)
{
    struct sca_thread *t = &sca_thread;
    if (!t->in_mpi || t->in_tool)
        return yield();
    count_yield(t);
    if (!sca_clock_is_crowded())
        return yield();
    sca_cpu_time_yields();
    int result = yield();
    sca_cpu_time_yielded();
    return result;
}
