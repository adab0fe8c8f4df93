/*
 * Mutexes, POSIX's and C11's: what is free is taken by pthread_mutex_trylock(), so that no clock is
 * read for it. Threads of the process wait for who has one (holders.h); if it lies in memory that
 * processes share, processes wait for each other, too (blocked_call.h).
 */
#include "base/hot.h"
#include "outside/blocked_call.h"
#include "outside/holders.h"
#include "outside/long_wait.h"
#include "outside/objects.h"
#include "calls/activity.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#define INTERPOSED __attribute__((visibility("default")))

SCA_NEXT(pthread_mutex_lock)
SCA_NEXT(pthread_mutex_trylock)

/* A thread that calls MPI may wait for another process, too. */
static SCA_COLD void note_fresh(const void *lock)
{
    if (sca_blocked_call_follows())
        sca_objects_note_memory(lock);
}

static bool has(int result)
{
    return !result || result == EOWNERDEAD;
}

static void end_wait(const void *mutex, const struct sca_holders_wait *wait, int result,
                     unsigned function, const void *return_address, const void *cfa)
{
    if (has(result))
        sca_holders_wait_end(mutex, wait, function, return_address, cfa);
    else
        sca_holders_wait_give_up(mutex, wait);
}

SCA_NEXT(pthread_mutex_clocklock)

static int take_until(void *mutex, const struct timespec *until)
{
    return next_pthread_mutex_clocklock()(mutex, CLOCK_MONOTONIC, until);
}

/* glibc's own note: 0 if nobody has it. Its C11 mutexes are POSIX's. */
static int owner_of(const void *mutex)
{
    return __atomic_load_n(&((const pthread_mutex_t *)mutex)->__data.__owner, __ATOMIC_RELAXED);
}

/* What a lock with a time does not know the lock without one decides: locks with priority
 * inheritance, on older kernels, and errors. */
static int take(pthread_mutex_t *mutex, const void *return_address, const void *cfa)
{
    static const struct sca_long_wait_kind mutexes = {
        take_until, owner_of, SCA_OUTSIDE_pthread_mutex_lock, SCA_OUTSIDE_pthread_mutex_lock};
    int result = sca_long_wait_take(mutex, &mutexes, return_address, cfa);
    return has(result) ? result : next_pthread_mutex_lock()(mutex);
}

static SCA_COLD int wait_for(pthread_mutex_t *mutex, const void *return_address, const void *cfa)
{
    struct sca_holders_wait wait = sca_holders_wait_begin(mutex);
    uint64_t began_ns = sca_blocked_call_begin();
    int result = take(mutex, return_address, cfa);
    end_wait(mutex, &wait, result, SCA_OUTSIDE_pthread_mutex_lock, return_address, cfa);
    if (began_ns)
        sca_blocked_call_end_lock(SCA_OUTSIDE_pthread_mutex_lock, began_ns, mutex, return_address,
                                  cfa);
    return result;
}

INTERPOSED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (__builtin_expect(!sca_holders_follow(), 0))
        return next_pthread_mutex_lock()(mutex);
    int result = next_pthread_mutex_trylock()(mutex);
    if (__builtin_expect(result == EBUSY, 0))
        return wait_for(mutex, SCA_CALLER);
    if ((!result || result == EOWNERDEAD) &&
        __builtin_expect(sca_holders_taken(mutex, SCA_CALLER), 0))
        note_fresh(mutex);
    return result;
}

SCA_NEXT(pthread_mutex_unlock)

INTERPOSED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (sca_holders_follow())
        sca_holders_leave(mutex, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
    return next_pthread_mutex_unlock()(mutex);
}

/* Until some time: if it is taken. */
#define TIMED(name, parameters, arguments)                                                         \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        if (!sca_holders_follow())                                                                 \
            return next_##name() arguments;                                                        \
        int result = next_pthread_mutex_trylock()(mutex);                                          \
        if (result == EBUSY) {                                                                     \
            struct sca_holders_wait wait = sca_holders_wait_begin(mutex);                          \
            uint64_t began_ns = sca_blocked_call_begin();                                          \
            result = next_##name() arguments;                                                      \
            if (began_ns)                                                                          \
                sca_blocked_call_end_lock(SCA_OUTSIDE_pthread_mutex_timedlock, began_ns, mutex,    \
                                          SCA_CALLER);                                             \
            end_wait(mutex, &wait, result, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);            \
        } else if (!result || result == EOWNERDEAD)                                                \
            sca_holders_taken(mutex, SCA_CALLER);                                                  \
        return result;                                                                             \
    }
SCA_NEXT(pthread_mutex_timedlock)
TIMED(pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *until),
      (mutex, until))
TIMED(pthread_mutex_clocklock,
      (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until),
      (mutex, clock, until))

/* ---- C11 ---- */

SCA_NEXT(mtx_lock)
SCA_NEXT(mtx_trylock)
SCA_NEXT(mtx_unlock)

static int take_c11(mtx_t *mutex, const void *return_address, const void *cfa)
{
    static const struct sca_long_wait_kind mutexes = {take_until, owner_of, SCA_OUTSIDE_mtx_lock,
                                                      SCA_OUTSIDE_mtx_lock};
    return sca_long_wait_take(mutex, &mutexes, return_address, cfa) ? next_mtx_lock()(mutex)
                                                                    : thrd_success;
}

INTERPOSED int mtx_lock(mtx_t *mutex)
{
    if (!sca_holders_follow())
        return next_mtx_lock()(mutex);
    int result = next_mtx_trylock()(mutex);
    if (__builtin_expect(result == thrd_busy, 0)) {
        struct sca_holders_wait wait = sca_holders_wait_begin(mutex);
        result = take_c11(mutex, SCA_CALLER);
        end_wait(mutex, &wait, result, SCA_OUTSIDE_mtx_lock, SCA_CALLER);
    } else if (result == thrd_success)
        sca_holders_taken(mutex, SCA_CALLER);
    return result;
}

INTERPOSED int mtx_unlock(mtx_t *mutex)
{
    if (sca_holders_follow())
        sca_holders_leave(mutex, SCA_OUTSIDE_mtx_lock, SCA_CALLER);
    return next_mtx_unlock()(mutex);
}
