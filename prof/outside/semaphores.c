/*
 * Semaphores: of a process's own memory its threads wait for whoever posts (thread_waits.h); in
 * memory that processes share, these wait for each other (blocked_call.h). What can be taken is
 * taken by sem_trywait(), so that no clock is read for it.
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/objects.h"
#include "outside/thread_waits.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#define INTERPOSED __attribute__((visibility("default")))

SCA_NEXT(sem_trywait)
SCA_NEXT(sem_post)

/* True: it was taken. As sem_wait(), it is a point where the thread may be cancelled. */
static bool take_free(sem_t *semaphore)
{
    int kept = errno;
    pthread_testcancel();
    bool taken = !next_sem_trywait()(semaphore);
    errno = kept;
    if (taken && sca_blocked_call_follows())
        sca_objects_note_memory(semaphore);
    return taken;
}

struct semaphore_wait {
    uint64_t began_ns;
    struct sca_hand_over_wait wait;
};

static struct semaphore_wait begin(const void *semaphore)
{
    return (struct semaphore_wait){sca_blocked_call_begin(), sca_thread_waits_begin(semaphore)};
}

static void end(const struct semaphore_wait *w, const void *semaphore, unsigned function,
                const void *return_address, const void *cfa)
{
    sca_thread_waits_end(&w->wait, function, return_address, cfa);
    if (w->began_ns)
        sca_blocked_call_end_lock(function, w->began_ns, semaphore, return_address, cfa);
}

#define WAIT(name, parameters, arguments)                                                          \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        if (!sca_virtual_time_follows())                                                           \
            return next_##name() arguments;                                                        \
        if (take_free(semaphore))                                                                  \
            return 0;                                                                              \
        struct semaphore_wait w = begin(semaphore);                                                \
        int result = next_##name() arguments;                                                      \
        end(&w, semaphore, SCA_OUTSIDE_##name, SCA_CALLER);                                        \
        return result;                                                                             \
    }
WAIT(sem_wait, (sem_t * semaphore), (semaphore))
WAIT(sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))
WAIT(sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
     (semaphore, clock, until))

/* Who wakes others need not wait there himself. In handlers, too. */
INTERPOSED int sem_post(sem_t *semaphore)
{
    sca_thread_waits_tell(semaphore);
    if (sca_blocked_call_follows())
        sca_objects_note_memory(semaphore);
    return next_sem_post()(semaphore);
}
