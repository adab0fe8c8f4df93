/*
 * Barriers that ranks share past MPI (PTHREAD_PROCESS_SHARED). A barrier is a collective of a
 * communicator of its own: that of all ranks that wait at the same object. Nobody leaves it before
 * all have come, as MPI_Barrier. Which object it is, shared_object.h says; the manieth time, each
 * rank counts. Whether all of them come each time, how often one is chosen says. One in a process's
 * own memory passes.
 */
#include "calls/collective.h"
#include "outside/blocked_call.h"
#include "outside/objects.h"
#include "outside/shared_object.h"
#include "calls/activity.h"

#include <pthread.h>

#define INTERPOSED __attribute__((visibility("default")))

SCA_NEXT(pthread_barrier_wait)
SCA_NEXT(pthread_barrier_init)

/* NULL: it is nobody else's, or there is no memory. */
static struct sca_communicator *ranks_at(const pthread_barrier_t *at)
{
    sca_thread.in_tool++;
    uint64_t id = sca_shared_object(at).place;
    struct sca_communicator *ranks =
        id ? sca_objects_at(id, SCA_OUTSIDE_pthread_barrier_wait) : NULL;
    sca_thread.in_tool--;
    return ranks;
}

INTERPOSED int pthread_barrier_init(pthread_barrier_t *at, const pthread_barrierattr_t *attributes,
                                    unsigned count)
{
    sca_shared_object_forget();
    return next_pthread_barrier_init()(at, attributes, count);
}

INTERPOSED int pthread_barrier_wait(pthread_barrier_t *at)
{
    struct sca_communicator *ranks = sca_blocked_call_follows() ? ranks_at(at) : NULL;
    struct sca_call *call =
        ranks ? sca_activity_enter(SCA_OUTSIDE_pthread_barrier_wait, SCA_CALLER) : NULL;
    if (!call)
        return next_pthread_barrier_wait()(at);
    int result = next_pthread_barrier_wait()(at);
    sca_activity_exit(call);
    if (!result || result == PTHREAD_BARRIER_SERIAL_THREAD)
        sca_collective_meet(call, ranks);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        sca_objects_chosen(ranks, call->site);
    sca_activity_leave(call);
    return result;
}
