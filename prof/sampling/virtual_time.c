#include "sampling/virtual_time.h"
#include "base/float_flags.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "sampling/threads.h"

#include <errno.h>

enum { TOLD_APART = 64 }; /* threads, by the low bits of their number */

static uint32_t marks;               /* intervals of the first thread */
static uint64_t first_cpu_ns;        /* its CPU clock as the last began, */
static uint64_t first_lock_ns;       /* and what it had waited for locks */
static double lately_ns[TOLD_APART]; /* that it waited, by whom it was charged to */
static uint32_t lately_mark;         /* when these were last made less */

static _Thread_local struct {
    uint32_t mark;
    uint32_t before;     /* whom its last wait was charged to */
    uint64_t awaited_ns; /* since the mark */
    uint64_t resumed_ns; /* the end of its last wait */
    uint64_t other_ns;   /* waits for locks of a thread that had its slot before */
} me __attribute__((tls_model("initial-exec")));

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static uint64_t computed_ns(void)
{
    if (sca_threads_is_first())
        return beyond(sca_cpu_time_at(sca_clock_now()), first_cpu_ns) +
               beyond(sca_thread.locked_ns, first_lock_ns);
    return beyond(sca_threads_own_since_mark(), me.other_ns);
}

static uint64_t time_of_me(uint32_t mark)
{
    if (me.mark != mark) {
        me.other_ns = me.mark ? 0 : sca_threads_locked_since_mark();
        me.mark = mark;
        me.awaited_ns = me.resumed_ns = 0;
        me.before = sca_threads_number();
    }
    return computed_ns() + me.awaited_ns;
}

struct sca_thread_moment sca_virtual_time_now(void)
{
    uint32_t mark = __atomic_load_n(&marks, __ATOMIC_ACQUIRE);
    int kept = errno;
    if (!mark || sca_threads_is_foreign())
        return (struct sca_thread_moment){0};
    uint64_t ns = time_of_me(mark);
    errno = kept;
    return (struct sca_thread_moment){ns, mark, sca_threads_number(), beyond(ns, me.resumed_ns),
                                      me.before};
}

static void note_lately(uint32_t thread, uint32_t mark, uint64_t ns)
{
    uint32_t float_flags = sca_float_flags_keep();
    for (unsigned i = 0; i < TOLD_APART && lately_mark != mark; i++)
        lately_ns[i] *= SCA_THREADS_REMEMBERED;
    lately_mark = mark;
    lately_ns[thread % TOLD_APART] += (double)ns;
    sca_float_flags_return(float_flags);
}

uint64_t sca_virtual_time_pass(const struct sca_thread_moment *moment, uint32_t *thread)
{
    uint32_t mark = __atomic_load_n(&marks, __ATOMIC_ACQUIRE);
    if (!moment->mark || moment->mark != mark || sca_threads_is_foreign())
        return 0;
    int kept = errno;
    uint64_t waited_ns = beyond(moment->ns, time_of_me(mark));
    errno = kept;
    if (!waited_ns)
        return 0;
    bool was_busy = 2 * moment->run_ns >= waited_ns || moment->before == sca_threads_number();
    *thread = me.before = was_busy ? moment->thread : moment->before;
    me.awaited_ns += waited_ns;
    me.resumed_ns = moment->ns;
    if (sca_threads_is_first()) {
        sca_thread.awaited_ns += waited_ns;
        note_lately(*thread, mark, waited_ns);
    }
    return waited_ns;
}

void sca_virtual_time_mark(uint64_t cpu_ns)
{
    first_cpu_ns = cpu_ns;
    first_lock_ns = sca_thread.locked_ns;
    uint32_t next = marks + 1;
    __atomic_store_n(&marks, next ? next : 1, __ATOMIC_RELEASE);
}

double sca_virtual_time_part(void)
{
    double all_ns = 0, most_ns = 0;
    for (unsigned i = 0; i < TOLD_APART; i++) {
        all_ns += lately_ns[i];
        most_ns = lately_ns[i] > most_ns ? lately_ns[i] : most_ns;
    }
    return all_ns > 0 ? most_ns / all_ns : 0;
}
