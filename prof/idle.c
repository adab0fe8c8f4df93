#include "idle.h"
#include "clock.h"
#include "cpu_time.h"
#include "guard.h"
#include "sampler.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int yield_function(void);
static yield_function *next;

/* At load, since a yield may come from places where nothing can be looked up. */
__attribute__((constructor)) static void find_next(void)
{
    next = (yield_function *)dlsym(RTLD_NEXT, "sched_yield");
}

/* At the first yield: to stop the clock costs about what one switch with it does. */
static void begin_wait(struct sca_thread *t)
{
    t->waits = true;
    sca_sampler_pause(true);
}

void sca_idle_over(bool in_vain)
{
    if (!sca_thread.waits)
        sca_sampler_pause(true);
    sca_thread.in_vain = in_vain;
    sca_sampler_pause(false);
    sca_thread.waits = false;
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
    if (!t->waits)
        begin_wait(t);
    if (!sca_clock_is_crowded())
        return yield();
    sca_cpu_time_yields();
    int result = yield();
    sca_cpu_time_yielded();
    return result;
}
