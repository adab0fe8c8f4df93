#include "outside/long_wait.h"
#include "arena/present.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "outside/holders.h"

#include <errno.h>

struct long_wait {
    const struct sca_long_wait_kind *kind;
    uint64_t began_ns;
    bool told, lent; /* lent: the thread took a record for this wait alone */
};

/* The call that took it, if the holder is who took it last by what is known. */
static uint32_t site_of_holder(const void *lock, int holder, unsigned function)
{
    const struct sca_holder *h = sca_holder_of(lock);
    return h->lock == lock && h->tid == holder
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

/* It still waits. */
static void tell(struct long_wait *wait, const void *of, const void *return_address,
                 const void *cfa)
{
    int kept = errno, holder = wait->kind->holder(of);
    sca_guard_lock();
    if (holder && sca_recording && !sca_paused) {
        wait->lent |= !sca_thread.present;
        wait->told = true;
        struct sca_part_lock_wait lock = {.begin_ns = wait->began_ns, .asked_ns = sca_clock_now()};
        lock.site = sca_activity_site(wait->kind->function, return_address, cfa);
        lock.held = site_of_holder(of, holder, wait->kind->held_by);
        lock.holder = (uint32_t)holder;
        put(sca_present_take(), &lock);
    }
    sca_guard_unlock();
    errno = kept;
}

static void end(const struct long_wait *wait)
{
    int kept = errno;
    sca_guard_lock();
    if (sca_recording && sca_thread.present)
        __atomic_store_n(&sca_thread.present->detail, UINT64_MAX, __ATOMIC_RELEASE);
    if (wait->lent)
        sca_present_leave();
    sca_guard_unlock();
    errno = kept;
}

/* After a second, and less and less often. */
int sca_long_wait_take(void *lock, const struct sca_long_wait_kind *kind,
                       const void *return_address, const void *cfa)
{
    enum { MOST_S = 16 };
    struct long_wait wait = {.kind = kind, .began_ns = sca_clock_now()};
    struct timespec until;
    int result = ETIMEDOUT;
    clock_gettime(CLOCK_MONOTONIC, &until);
    for (int s = 1; result == ETIMEDOUT; s = s < MOST_S ? 2 * s : s) {
        until.tv_sec += s;
        result = kind->take(lock, &until);
        if (result == ETIMEDOUT)
            tell(&wait, lock, return_address, cfa);
    }
    if (wait.told)
        end(&wait);
    return result;
}
