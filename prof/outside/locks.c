/*
 * Locks, condition variables and semaphores that processes share. One in a process's own memory
 * makes its threads wait for each other, which interval.h knows. What is free is taken by
 * pthread_mutex_trylock() or sem_trywait(), so that no clock is read for it.
 */
#include "base/hot.h"
#include "outside/blocked_call.h"
#include "outside/holders.h"
#include "outside/objects.h"
#include "calls/activity.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#define INTERPOSED __attribute__((visibility("default")))

SCA_NEXT(pthread_mutex_lock)
SCA_NEXT(pthread_mutex_trylock)

/* A thread that calls MPI may wait for another process, too. */
static SCA_COLD void note_fresh(const void *lock)
{
    if (sca_blocked_call_follows())
        sca_objects_note_memory(lock);
}

static SCA_COLD int wait_for(pthread_mutex_t *mutex, const void *return_address, const void *cfa)
{
    struct sca_holders_wait wait = sca_holders_wait_begin(mutex);
    uint64_t began_ns = sca_blocked_call_begin();
    int result = next_pthread_mutex_lock()(mutex);
    if (!result || result == EOWNERDEAD)
        sca_holders_wait_end(mutex, &wait, SCA_OUTSIDE_pthread_mutex_lock, return_address, cfa);
    else
        sca_holders_wait_give_up(mutex, &wait);
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

SCA_NEXT(sem_wait)
SCA_NEXT(sem_trywait)
SCA_NEXT(sem_post)

/* True: it was taken. As sem_wait(), it is a point where the thread may be cancelled. */
static bool take_free(sem_t *semaphore)
{
    int kept = errno;
    pthread_testcancel();
    bool taken = !next_sem_trywait()(semaphore);
    errno = kept;
    return taken;
}

INTERPOSED int sem_wait(sem_t *semaphore)
{
    if (__builtin_expect(!sca_blocked_call_follows(), 1))
        return next_sem_wait()(semaphore);
    if (take_free(semaphore)) {
        sca_objects_note_memory(semaphore);
        return 0;
    }
    uint64_t began_ns = sca_clock_now();
    int result = next_sem_wait()(semaphore);
    sca_blocked_call_end_lock(SCA_OUTSIDE_sem_wait, began_ns, semaphore, SCA_CALLER);
    return result;
}

/* Who wakes others need not wait there himself. */
INTERPOSED int sem_post(sem_t *semaphore)
{
    if (sca_blocked_call_follows())
        sca_objects_note_memory(semaphore);
    return next_sem_post()(semaphore);
}

/* which one it is, name, the object, parameters, arguments */
#define FUNCTIONS(X)                                                                               \
    X(SCA_NEXT(pthread_mutex_timedlock), pthread_mutex_timedlock, mutex,                           \
      (pthread_mutex_t * mutex, const struct timespec *until), (mutex, until))                     \
    X(SCA_NEXT_OF(pthread_cond_wait, "GLIBC_2.3.2"), pthread_cond_wait, condition,                 \
      (pthread_cond_t * condition, pthread_mutex_t * mutex), (condition, mutex))                   \
    X(SCA_NEXT_OF(pthread_cond_timedwait, "GLIBC_2.3.2"), pthread_cond_timedwait, condition,       \
      (pthread_cond_t * condition, pthread_mutex_t * mutex, const struct timespec *until),         \
      (condition, mutex, until))                                                                   \
    X(SCA_NEXT(pthread_cond_clockwait), pthread_cond_clockwait, condition,                         \
      (pthread_cond_t * condition, pthread_mutex_t * mutex, clockid_t clock,                       \
       const struct timespec *until),                                                              \
      (condition, mutex, clock, until))                                                            \
    X(SCA_NEXT(sem_timedwait), sem_timedwait, semaphore,                                           \
      (sem_t * semaphore, const struct timespec *until), (semaphore, until))                       \
    X(SCA_NEXT(sem_clockwait), sem_clockwait, semaphore,                                           \
      (sem_t * semaphore, clockid_t clock, const struct timespec *until),                          \
      (semaphore, clock, until))

#define DEFINE(next, name, object, parameters, arguments)                                          \
    next INTERPOSED int name parameters                                                            \
    {                                                                                              \
        uint64_t began_ns = sca_blocked_call_begin();                                              \
        int result = next_##name() arguments;                                                      \
        if (__builtin_expect(began_ns != 0, 0))                                                    \
            sca_blocked_call_end_lock(SCA_OUTSIDE_##name, began_ns, object, SCA_CALLER);           \
        return result;                                                                             \
    }
FUNCTIONS(DEFINE)
