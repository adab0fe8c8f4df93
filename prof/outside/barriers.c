/*
 * Barriers of POSIX threads. In a process's own memory its threads wait for the latest of them
 * (thread_waits.h).
 *
 * Barriers that ranks share past MPI (PTHREAD_PROCESS_SHARED). A barrier is a collective of a
 * communicator of its own: that of all ranks that wait at the same object. Nobody leaves it before
 * all have come, as MPI_Barrier. Which object it is, shared_object.h says; the manieth time, each
 * rank counts. Whether all of them come each time, how often one is chosen says.
 */
#include "calls/collective.h"
#include "outside/blocked_call.h"
#include "outside/objects.h"
#include "outside/shared_object.h"
#include "outside/thread_waits.h"
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
    if (!(sca_thread.in_mpi | sca_thread.in_tool)) /* before MPI_Init, too */
        sca_hand_over_barrier(at, count);
    return next_pthread_barrier_init()(at, attributes, count);
}

static int wait_for_threads(pthread_barrier_t *at, const void *return_address, const void *cfa)
{
    uint32_t thread = 0;
    if (!sca_virtual_time_follows())
        return next_pthread_barrier_wait()(at);
    int turn = sca_hand_over_arrive(at);
    uint64_t began_ns = sca_clock_now();
    int result = next_pthread_barrier_wait()(at);
    uint64_t ns = sca_hand_over_depart(at, turn, &thread);
    sca_thread.stood_ns += sca_clock_now() - began_ns;
    sca_thread_waits_book(SCA_OUTSIDE_pthread_barrier, ns, thread, return_address, cfa);
    return result;
}

INTERPOSED int pthread_barrier_wait(pthread_barrier_t *at)
{
    struct sca_communicator *ranks = sca_blocked_call_follows() ? ranks_at(at) : NULL;
    struct sca_call *call =
        ranks ? sca_activity_enter(SCA_OUTSIDE_pthread_barrier_wait, SCA_CALLER) : NULL;
    if (!call)
        return wait_for_threads(at, SCA_CALLER);
    int result = next_pthread_barrier_wait()(at);
    sca_activity_exit(call);
    if (!result || result == PTHREAD_BARRIER_SERIAL_THREAD)
        sca_collective_meet(call, ranks);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        sca_objects_chosen(ranks, call->site);
    sca_activity_leave(call);
    return result;
}
