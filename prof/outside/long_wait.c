#include "outside/long_wait.h"
#include "arena/present.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "outside/holders.h"

#include <errno.h>

struct sca_long_wait sca_long_wait_begin(void)
{
    return (struct sca_long_wait){.began_ns = sca_clock_now()};
}

/* glibc's own note: 0 if nobody has it. */
static int owner_of(pthread_mutex_t *mutex)
{
    return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}

/* The call that took it, if the holder is who took it last by what is known. */
static uint32_t site_of_holder(const void *mutex, int owner, unsigned function)
{
    const struct sca_holder *h = sca_holder_of(mutex);
    return h->lock == mutex && h->tid == owner
               ? sca_activity_site_alone(function, h->return_address)
               : SCA_NONE;
}

/* What was told before is not valid while it is replaced. State lock held. */
static void put(struct sca_part_present *present, const struct sca_part_lock_wait *lock)
{
    __atomic_store_n(&present->detail, UINT64_MAX, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    present->lock = *lock;
    __atomic_store_n(&present->detail, present->turn | SCA_PRESENT_LOCK, __ATOMIC_RELEASE);
}

void sca_long_wait_tell(struct sca_long_wait *wait, pthread_mutex_t *mutex, unsigned function,
                        const void *return_address, const void *cfa)
{
    int kept = errno, owner = owner_of(mutex);
    sca_guard_lock();
    if (owner && sca_recording && !sca_paused) {
        wait->lent |= !sca_thread.present;
        wait->told = true;
        struct sca_part_lock_wait lock = {.begin_ns = wait->began_ns, .asked_ns = sca_clock_now()};
        lock.site = sca_activity_site(function, return_address, cfa);
        lock.held = site_of_holder(mutex, owner, function);
        lock.holder = (uint32_t)owner;
        put(sca_present_take(), &lock);
    }
    sca_guard_unlock();
    errno = kept;
}

void sca_long_wait_end(const struct sca_long_wait *wait)
{
    int kept = errno;
    sca_guard_lock();
    if (wait->told && sca_recording && sca_thread.present)
        __atomic_store_n(&sca_thread.present->detail, UINT64_MAX, __ATOMIC_RELEASE);
    if (wait->lent)
        sca_present_leave();
    sca_guard_unlock();
    errno = kept;
}
