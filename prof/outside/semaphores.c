/*
 * Semaphores. Of a process's own memory its threads wait for whoever posts (thread_waits.h); in
 * memory that processes share, these wait for each other (blocked_call.h). What can be taken is
 * taken by sem_trywait(), so that no clock is read for it.
 *
 * A semaphore that its threads use as a lock is one (holders.h): each thread posts what it took,
 * and no other has it meanwhile. It counts as a lock from the first such post on. One that is
 * posted by another thread, or taken once more before that, is none from then on.
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/holders.h"
#include "outside/objects.h"
#include "outside/thread_waits.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#define INTERPOSED __attribute__((visibility("default")))

SCA_NEXT(sem_trywait)
SCA_NEXT(sem_post)

/* ---- as a lock ---- */

enum sca_semaphore_use { NOT_KNOWN, LOCK, SIGNAL };

static struct sca_holder *holder_of(const void *semaphore)
{
    struct sca_holder *h = sca_holder_of(semaphore);
    return h->lock == semaphore ? h : NULL;
}

static bool is_used_as(const struct sca_holder *h, enum sca_semaphore_use use)
{
    return __atomic_load_n(&h->semaphore, __ATOMIC_RELAXED) == use;
}

static void use_as(struct sca_holder *h, enum sca_semaphore_use use)
{
    __atomic_store_n(&h->semaphore, use, __ATOMIC_RELAXED);
}

/* Of what is no lock no sample says that it is held. */
static void hold_no_longer(const void *semaphore)
{
    if (sca_thread.holds == semaphore)
        sca_thread.holds = NULL;
}

/* Whoever has a lock says so before he posts it: if it is somebody's still, it is no lock. */
static void note_taken(const void *semaphore, const void *return_address, const void *cfa)
{
    struct sca_holder *h = holder_of(semaphore);
    if (!h || !is_used_as(h, SIGNAL))
        (void)sca_holders_taken(semaphore, return_address, cfa);
    h = holder_of(semaphore);
    if (h && __atomic_exchange_n(&h->taken, true, __ATOMIC_ACQUIRE))
        use_as(h, SIGNAL);
    if (!h || !is_used_as(h, LOCK))
        hold_no_longer(semaphore);
}

static void note_posted(const void *semaphore, const void *return_address, const void *cfa)
{
    struct sca_holder *h = holder_of(semaphore);
    if (!h || !__atomic_load_n(&h->taken, __ATOMIC_RELAXED))
        return;
    if (h->tid != sca_thread.tid)
        use_as(h, SIGNAL);
    else if (is_used_as(h, NOT_KNOWN))
        use_as(h, LOCK);
    if (is_used_as(h, LOCK))
        sca_holders_leave(semaphore, SCA_OUTSIDE_semaphore_lock, return_address, cfa);
    else
        hold_no_longer(semaphore);
    __atomic_store_n(&h->taken, false, __ATOMIC_RELEASE);
}

static bool is_lock_of_another(const void *semaphore)
{
    const struct sca_holder *h = holder_of(semaphore);
    return h && is_used_as(h, LOCK) &&
           !(__atomic_load_n(&h->taken, __ATOMIC_RELAXED) && h->tid == sca_thread.tid);
}

/* It was one until now. */
static void end_as_lock(const void *semaphore, const struct sca_holders_wait *wait, int result,
                        const void *return_address, const void *cfa)
{
    const struct sca_holder *h = holder_of(semaphore);
    if (!result && h && is_used_as(h, LOCK) && !__atomic_load_n(&h->taken, __ATOMIC_RELAXED))
        sca_holders_wait_end(semaphore, wait, SCA_OUTSIDE_semaphore_lock, return_address, cfa);
    else
        sca_holders_wait_give_up(semaphore, wait);
}

/* ---- the calls ---- */

/* True: it was taken. As sem_wait(), it is a point where the thread may be cancelled. */
static bool take_free(sem_t *semaphore, const void *return_address, const void *cfa)
{
    int kept = errno;
    pthread_testcancel();
    bool taken = !next_sem_trywait()(semaphore);
    errno = kept;
    if (taken)
        note_taken(semaphore, return_address, cfa);
    if (taken && sca_blocked_call_follows())
        sca_objects_note_memory(semaphore);
    return taken;
}

struct semaphore_wait {
    uint64_t began_ns;
    bool is_lock;
    struct sca_holders_wait lock;
    struct sca_hand_over_wait signal;
};

static struct semaphore_wait begin(const void *semaphore)
{
    struct semaphore_wait w = {.began_ns = sca_blocked_call_begin(),
                               .is_lock = is_lock_of_another(semaphore)};
    if (w.is_lock)
        w.lock = sca_holders_wait_begin(semaphore);
    else
        w.signal = sca_thread_waits_begin(semaphore);
    return w;
}

static void end(const struct semaphore_wait *w, const void *semaphore, int result,
                unsigned function, const void *return_address, const void *cfa)
{
    if (w->is_lock)
        end_as_lock(semaphore, &w->lock, result, return_address, cfa);
    else
        sca_thread_waits_end(&w->signal, function, return_address, cfa);
    if (!result)
        note_taken(semaphore, return_address, cfa);
    if (w->began_ns)
        sca_blocked_call_end_lock(function, w->began_ns, semaphore, return_address, cfa);
}

#define WAIT(name, parameters, arguments)                                                          \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        if (!sca_virtual_time_follows())                                                           \
            return next_##name() arguments;                                                        \
        if (take_free(semaphore, SCA_CALLER))                                                      \
            return 0;                                                                              \
        struct semaphore_wait w = begin(semaphore);                                                \
        int result = next_##name() arguments;                                                      \
        end(&w, semaphore, result, SCA_OUTSIDE_##name, SCA_CALLER);                                \
        return result;                                                                             \
    }
WAIT(sem_wait, (sem_t * semaphore), (semaphore))
WAIT(sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))
WAIT(sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
     (semaphore, clock, until))

/* Who wakes others need not wait there himself. In handlers, too. */
INTERPOSED int sem_post(sem_t *semaphore)
{
    if (sca_virtual_time_follows())
        note_posted(semaphore, SCA_CALLER);
    sca_thread_waits_tell(semaphore);
    if (sca_blocked_call_follows())
        sca_objects_note_memory(semaphore);
    return next_sem_post()(semaphore);
}
