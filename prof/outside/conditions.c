/*
 * Condition variables, POSIX's and C11's, of one process or of several: whoever signals one that
 * threads wait for tells them when (thread_waits.h). The mutex is not the waiting thread's
 * meanwhile. In memory that processes share, they wait for each other (blocked_call.h).
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/holders.h"
#include "outside/thread_waits.h"

#include <pthread.h>
#include <threads.h>

#define INTERPOSED __attribute__((visibility("default")))

struct condition_wait {
    uint64_t began_ns;
    struct sca_hand_over_wait wait;
    bool held;
};

static struct condition_wait begin(const void *condition, const void *mutex, unsigned lock,
                                   const void *return_address, const void *cfa)
{
    struct condition_wait w = {sca_blocked_call_begin(), sca_thread_waits_begin(condition),
                               sca_holders_follow()};
    if (w.held)
        sca_holders_leave(mutex, lock, return_address, cfa);
    return w;
}

static void end(const struct condition_wait *w, const void *condition, const void *mutex,
                unsigned function, const void *return_address, const void *cfa)
{
    if (w->held)
        sca_holders_taken(mutex, return_address, cfa);
    sca_thread_waits_end(&w->wait, function, return_address, cfa);
    if (__builtin_expect(w->began_ns != 0, 0))
        sca_blocked_call_end_lock(function, w->began_ns, condition, return_address, cfa);
}

#define WAIT(next, name, condition_type, mutex_type, lock, more, arguments)                        \
    next INTERPOSED int name more                                                                  \
    {                                                                                              \
        struct condition_wait w = begin(condition, mutex, SCA_OUTSIDE_##lock, SCA_CALLER);         \
        int result = next_##name() arguments;                                                      \
        end(&w, condition, mutex, SCA_OUTSIDE_##name, SCA_CALLER);                                 \
        return result;                                                                             \
    }
#define POSIX "GLIBC_2.3.2"
WAIT(SCA_NEXT_OF(pthread_cond_wait, POSIX), pthread_cond_wait, pthread_cond_t, pthread_mutex_t,
     pthread_mutex_lock, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
WAIT(SCA_NEXT_OF(pthread_cond_timedwait, POSIX), pthread_cond_timedwait, pthread_cond_t,
     pthread_mutex_t, pthread_mutex_lock,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until),
     (condition, mutex, until))
WAIT(SCA_NEXT(pthread_cond_clockwait), pthread_cond_clockwait, pthread_cond_t, pthread_mutex_t,
     pthread_mutex_lock,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
      const struct timespec *until),
     (condition, mutex, clock, until))
WAIT(SCA_NEXT(cnd_wait), cnd_wait, cnd_t, mtx_t, mtx_lock, (cnd_t * condition, mtx_t *mutex),
     (condition, mutex))
WAIT(SCA_NEXT(cnd_timedwait), cnd_timedwait, cnd_t, mtx_t, mtx_lock,
     (cnd_t * condition, mtx_t *mutex, const struct timespec *until), (condition, mutex, until))

#define SIGNAL(next, name, type)                                                                   \
    next INTERPOSED int name(type *condition)                                                      \
    {                                                                                              \
        sca_thread_waits_tell(condition);                                                          \
        return next_##name()(condition);                                                           \
    }
SIGNAL(SCA_NEXT_OF(pthread_cond_signal, POSIX), pthread_cond_signal, pthread_cond_t)
SIGNAL(SCA_NEXT_OF(pthread_cond_broadcast, POSIX), pthread_cond_broadcast, pthread_cond_t)
SIGNAL(SCA_NEXT(cnd_signal), cnd_signal, cnd_t)
SIGNAL(SCA_NEXT(cnd_broadcast), cnd_broadcast, cnd_t)
