/*
 * Read-write locks and spin locks: who has one, and who waits for it (holders.h). Both are tried
 * first. Of a read-write lock only the writer is known: readers wait for him, and so do other
 * writers. For readers, of whom there may be many, nobody notes anything.
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/holders.h"
#include "outside/long_wait.h"

#include <errno.h>
#include <pthread.h>

#define INTERPOSED __attribute__((visibility("default")))

/* A lock of that kind, as it is taken by force. */
typedef int take_function(void *lock, const void *return_address, const void *cfa);

static int wait_for(void *lock, take_function *take, unsigned function, const void *return_address,
                    const void *cfa)
{
    struct sca_holders_wait wait = sca_holders_wait_begin(lock);
    int result = take(lock, return_address, cfa);
    if (!result)
        sca_holders_wait_end(lock, &wait, function, return_address, cfa);
    else
        sca_holders_wait_give_up(lock, &wait);
    return result;
}

/* ---- spin locks ---- */

SCA_NEXT(pthread_spin_lock)
SCA_NEXT(pthread_spin_trylock)
SCA_NEXT(pthread_spin_unlock)

static int spin(void *lock, const void *return_address, const void *cfa)
{
    (void)return_address, (void)cfa;
    return next_pthread_spin_lock()((pthread_spinlock_t *)lock);
}

INTERPOSED int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!sca_holders_follow())
        return next_pthread_spin_lock()(lock);
    int result = next_pthread_spin_trylock()(lock);
    if (__builtin_expect(result == EBUSY, 0))
        return wait_for((void *)lock, spin, SCA_OUTSIDE_pthread_spin_lock, SCA_CALLER);
    if (!result)
        sca_holders_taken((const void *)lock, SCA_CALLER);
    return result;
}

INTERPOSED int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    if (sca_holders_follow())
        sca_holders_leave((const void *)lock, SCA_OUTSIDE_pthread_spin_lock, SCA_CALLER);
    return next_pthread_spin_unlock()(lock);
}

/* ---- read-write locks ---- */

SCA_NEXT(pthread_rwlock_rdlock)
SCA_NEXT(pthread_rwlock_tryrdlock)
SCA_NEXT(pthread_rwlock_wrlock)
SCA_NEXT(pthread_rwlock_trywrlock)
SCA_NEXT(pthread_rwlock_clockrdlock)
SCA_NEXT(pthread_rwlock_clockwrlock)
SCA_NEXT(pthread_rwlock_unlock)

static bool is_written(const void *lock)
{
    struct sca_holder *h = sca_holder_of(lock);
    return h->lock == lock && __atomic_load_n(&h->taken, __ATOMIC_RELAXED);
}

static void set_written(const void *lock, bool written)
{
    struct sca_holder *h = sca_holder_of(lock);
    if (h->lock == lock)
        __atomic_store_n(&h->taken, written, __ATOMIC_RELAXED);
}

static int write_until(void *lock, const struct timespec *until)
{
    return next_pthread_rwlock_clockwrlock()(lock, CLOCK_MONOTONIC, until);
}

static int read_until(void *lock, const struct timespec *until)
{
    return next_pthread_rwlock_clockrdlock()(lock, CLOCK_MONOTONIC, until);
}

/* glibc's own note: 0 if nobody writes. */
static int writer_of(const void *lock)
{
    return __atomic_load_n(&((const pthread_rwlock_t *)lock)->__data.__cur_writer,
                           __ATOMIC_RELAXED);
}

/* Where a writer that waits holds readers up, one that wakes up to say so would let them pass. */
static bool may_wake_up(const void *lock)
{
    return ((const pthread_rwlock_t *)lock)->__data.__flags == PTHREAD_RWLOCK_DEFAULT_NP;
}

/* What a lock with a time does not know the lock without one decides. */
static int write_by_force(void *lock, const void *return_address, const void *cfa)
{
    static const struct sca_long_wait_kind writers = {write_until, writer_of,
                                                      SCA_OUTSIDE_pthread_rwlock_wrlock,
                                                      SCA_OUTSIDE_pthread_rwlock_wrlock};
    bool taken = may_wake_up(lock) && !sca_long_wait_take(lock, &writers, return_address, cfa);
    return taken ? 0 : next_pthread_rwlock_wrlock()(lock);
}

static int read_by_force(void *lock, const void *return_address, const void *cfa)
{
    static const struct sca_long_wait_kind readers = {read_until, writer_of,
                                                      SCA_OUTSIDE_pthread_rwlock_rdlock,
                                                      SCA_OUTSIDE_pthread_rwlock_wrlock};
    bool taken = may_wake_up(lock) && !sca_long_wait_take(lock, &readers, return_address, cfa);
    return taken ? 0 : next_pthread_rwlock_rdlock()(lock);
}

/* For readers: who they are is not known. */
static int wait_to_write(pthread_rwlock_t *lock, const void *return_address, const void *cfa)
{
    int result;
    if (is_written(lock))
        result =
            wait_for(lock, write_by_force, SCA_OUTSIDE_pthread_rwlock_wrlock, return_address, cfa);
    else if (!(result = next_pthread_rwlock_wrlock()(lock)))
        sca_holders_taken(lock, return_address, cfa);
    return result;
}

INTERPOSED int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!sca_holders_follow())
        return next_pthread_rwlock_wrlock()(lock);
    int result = next_pthread_rwlock_trywrlock()(lock);
    if (__builtin_expect(result == EBUSY, 0))
        result = wait_to_write(lock, SCA_CALLER);
    else if (!result)
        sca_holders_taken(lock, SCA_CALLER);
    if (!result)
        set_written(lock, true);
    return result;
}

/* A reader that has waited has not got it alone: it is no holder. */
static int wait_to_read(pthread_rwlock_t *lock, const void *return_address, const void *cfa)
{
    struct sca_holders_wait wait = sca_holders_wait_begin(lock);
    int result = read_by_force(lock, return_address, cfa);
    if (result)
        sca_holders_wait_give_up(lock, &wait);
    else
        sca_holders_wait_end_shared(lock, &wait, SCA_OUTSIDE_pthread_rwlock_rdlock, return_address,
                                    cfa);
    return result;
}

INTERPOSED int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!sca_holders_follow())
        return next_pthread_rwlock_rdlock()(lock);
    int result = next_pthread_rwlock_tryrdlock()(lock);
    if (__builtin_expect(result == EBUSY, 0) && is_written(lock))
        return wait_to_read(lock, SCA_CALLER);
    return result == EBUSY || result == EAGAIN ? next_pthread_rwlock_rdlock()(lock) : result;
}

INTERPOSED int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct sca_holder *h = sca_holder_of(lock);
    if (sca_holders_follow() && is_written(lock) && h->tid == sca_thread.tid) {
        sca_holders_leave(lock, SCA_OUTSIDE_pthread_rwlock_wrlock, SCA_CALLER);
        set_written(lock, false);
    }
    return next_pthread_rwlock_unlock()(lock);
}
