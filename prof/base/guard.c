#include "base/guard.h"
#include "base/hot.h"

#include <sched.h>

/* What every call touches is in its first line. */
_Thread_local struct sca_thread sca_thread __attribute__((tls_model("initial-exec"), aligned(64)));
volatile bool sca_recording SCA_HOT, sca_paused SCA_HOT;

static int locked SCA_HOT;
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

static void take(void)
{
    for (unsigned spins = 1; __atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE); spins++) {
        if (spins % 64)
            __builtin_ia32_pause();
        else
            sched_yield(); /* the holder may wait for this core */
    }
}

/* Marked before taken: a sample that interrupts the holder is dropped and never comes here. A
 * thread's own second lock is counted, because a fatal signal's handler may end the run. */
void sca_guard_lock(void)
{
    sca_thread.in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!depth++)
        take();
}

void sca_guard_unlock(void)
{
    if (!--depth)
        __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sca_thread.in_tool--;
}
