#include "sampling/idle.h"
#include "arena/arena.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "base/guard.h"
#include "mpi_functions.h"
#include "sampling/sampler.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* CPU time that a short sleep, a yield, or losing the core takes at most: so much, or twice what
 * trials took, where sleeping is dearer, as in virtual machines, but no more than the most. */
enum { NAP_NS = 50000, MOST_NAP_NS = 200000, TRIALS = 5, TRIAL_NS = 20000 };

static uint64_t nap_ns = NAP_NS;

void sca_idle_init(void)
{
    static const struct timespec nap = {0, TRIAL_NS};
    uint64_t most_ns = 0;
    for (int i = 0; i < TRIALS; i++) {
        uint64_t begin_ns = sca_clock_cpu(), took_ns;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        took_ns = sca_clock_cpu() - begin_ns;
        most_ns = took_ns > most_ns ? took_ns : most_ns;
    }
    nap_ns = 2 * most_ns > NAP_NS ? 2 * most_ns : NAP_NS;
    nap_ns = nap_ns < MOST_NAP_NS ? nap_ns : MOST_NAP_NS;
}

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

static bool is_brief(const struct sca_interval *interval)
{
    const struct sca_thread *t = &sca_thread;
    uint64_t cpu_ns = interval->cpu_ns > t->nap_cpu_ns ? interval->cpu_ns - t->nap_cpu_ns : 0;
    bool slept = t->yielded || t->nap_cpu_ns || interval->wall_ns > 2 * interval->cpu_ns;
    return cpu_ns < SCA_IDLE_NS || (cpu_ns < nap_ns && slept);
}

uint64_t sca_idle_between(unsigned function, struct sca_interval *interval)
{
    bool looks = sca_function_class(function) != SCA_CLASS_CALL;
    uint64_t idle_ns = looks && is_brief(interval) ? interval->wall_ns : 0;
    if (idle_ns)
        *interval = (struct sca_interval){0};
    return idle_ns;
}

static uint8_t one_more(uint8_t looks)
{
    return looks < SCA_MOST_LOOKS ? (uint8_t)(looks + 1) : looks;
}

static void begin_anew(struct sca_thread *t)
{
    if (!t->waits)
        sca_sampler_pause(true);
    t->in_vain = t->looks;
    sca_sampler_pause(false);
    t->waits = false;
}

void sca_idle_interrupt(void)
{
    sca_sampler_pause(false);
    sca_thread.waits = false;
}

bool sca_idle_exit(unsigned function, bool found_nothing, uint64_t idle_ns)
{
    struct sca_thread *t = &sca_thread;
    bool in_vain = found_nothing || (idle_ns && sca_function_is_local(function));
    t->yielded = false;
    t->nap_cpu_ns = 0;
    t->looks = !in_vain ? 0 : idle_ns ? one_more(t->looks) : 1;
    if (t->waits || idle_ns || (t->in_vain && !in_vain))
        begin_anew(t);
    return in_vain;
}

/* Without samples, what tells that the rank still waits. */
static void show(void)
{
    struct sca_part_header *header = sca_arena_header();
    if (header)
        header->seen_ns = sca_clock_now();
}

static int yield(void)
{
    return next ? next() : (int)syscall(SYS_sched_yield);
}

__attribute__((visibility("default"))) int sched_yield(void)
{
    struct sca_thread *t = &sca_thread;
    t->yielded |= !t->in_mpi;
    if (!t->in_mpi || t->in_tool)
        return yield();
    if (!t->waits)
        begin_wait(t);
    show();
    if (!sca_clock_is_crowded())
        return yield();
    sca_cpu_time_yields();
    int result = yield();
    sca_cpu_time_yielded();
    return result;
}
