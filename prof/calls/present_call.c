#include "calls/present_call.h"
#include "calls/channel.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/receive.h"
#include "calls/requests.h"
#include "base/hot.h"

_Thread_local struct sca_present_known sca_present_known[SCA_PRESENT_KNOWN]
    __attribute__((tls_model("initial-exec")));

/* While nothing is booked, communicators get no record. */
SCA_COLD void sca_present_learn(struct sca_present_known *at, sca_word argument)
{
    uint32_t age = __atomic_load_n(&sca_comm_age, __ATOMIC_RELAXED);
    sca_thread.in_tool++;
    struct sca_communicator *comm = sca_comm_lock(argument);
    uint32_t index = !comm ? SCA_NONE : sca_paused ? comm->index : sca_comm_record_index(comm);
    if (comm)
        sca_guard_unlock();
    sca_thread.in_tool--;
    *at = (struct sca_present_known){argument, index == SCA_NONE ? 0 : age, index, comm};
}

/* What is called beside the looks, and finds nothing either, does not end their row. */
static bool is_beside(const struct sca_call *call)
{
    return sca_thread.looks || sca_function_is_local(call->function);
}

void sca_present_looked(const struct sca_call *call)
{
    static _Thread_local uint64_t between_ns __attribute__((tls_model("initial-exec")));
    struct sca_part_present *present = sca_thread.present;
    if (sca_thread.looks > 1 || !(sca_thread.looks | present->polls_ns))
        return; /* it goes on, having computed hardly anything, or there is none */
    between_ns += call->interval.cpu_ns;
    if (present->polls_ns && is_beside(call) &&
        SCA_POLLS_MOSTLY * between_ns < present->enter_ns - present->polls_ns)
        return;
    between_ns = 0;
    __atomic_store_n(&present->polls_ns, sca_thread.looks ? present->enter_ns : 0,
                     __ATOMIC_RELAXED);
}

/* An eager send waits for nobody. The calling thread alone has these requests. */
static bool is_awaited(const struct sca_request *request, struct sca_part_awaited *out)
{
    const struct sca_communicator *comm = request->comm;
    if (!comm || comm->inter || (request->persistent && !request->active))
        return false;
    uint32_t index = comm->index == SCA_NONE ? sca_present_comm(comm->handle)->index : comm->index;
    if (request->kind == SCA_REQUEST_RECV && request->receive)
        *out = (struct sca_part_awaited){SCA_AWAITS_SENDER, index, request->receive->peer,
                                         request->receive->tag};
    else if (request->kind == SCA_REQUEST_SEND && request->waits && request->channel)
        *out = (struct sca_part_awaited){SCA_AWAITS_RECEIVER, index, request->channel->peer,
                                         request->channel->tag};
    else if (request->kind == SCA_REQUEST_COLLECTIVE)
        *out = (struct sca_part_awaited){SCA_AWAITS_COLLECTIVE + (uint32_t)request->shape, index,
                                         request->peer, (int32_t)request->number};
    else
        return false;
    return true;
}

/* Of a call that one request is enough for, all must be known. */
static bool may_end_it(const struct sca_wait *wait, int64_t i)
{
    const struct sca_request *request = wait->requests[i];
    if (request)
        return !request->persistent || request->active;
    return sca_abi_request_at(wait->array, i, wait->fortran) != sca_abi.request_null;
}

void sca_present_wait(const struct sca_wait *wait, bool any)
{
    struct sca_part_present *present = sca_thread.present;
    struct sca_part_awaited awaited;
    uint32_t n = 0;
    bool known = true;
    if (!wait->requests)
        return;
    int64_t i = 0;
    for (; i < wait->count && n <= SCA_PRESENT_AWAITED; i++)
        if (wait->requests[i] && is_awaited(wait->requests[i], &awaited)) {
            if (n < SCA_PRESENT_AWAITED)
                present->awaited[n] = awaited;
            n++;
        } else if (any && may_end_it(wait, i))
            known = false;
    n += (uint32_t)(wait->count - i); /* of more than there is room for, so many at most */
    present->nawaited = any ? n | SCA_PRESENT_ANY : n;
    if (n && known)
        __atomic_store_n(&present->detail, present->turn, __ATOMIC_RELEASE);
}
