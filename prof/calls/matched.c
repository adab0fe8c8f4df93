/* Matched probes and their receives. */
#include "calls/traffic.h"
#include "mpi/abi.h"
#include "base/guard.h"
#include "calls/receive.h"
#include "calls/requests.h"

/* A matched probe takes its message out of MPI's queues: it is the receive. Messages are followed
 * in the table of requests: their handles never meet. */
void sca_matched_probe(struct sca_call *call, sca_word comm, sca_word message, sca_word status)
{
    struct sca_communicator *c = sca_comm_find(comm);
    int source = sca_abi_status_source((const void *)status);
    if (!c || source == sca_abi.proc_null)
        return;
    int32_t from = sca_comm_record_world_rank(c, source);
    sca_guard_lock();
    struct sca_request *request = sca_requests_add(message, SCA_REQUEST_RECV, c);
    if (request)
        request->receive =
            sca_receive_post(c, from, sca_abi_status_tag((const void *)status), call);
    sca_guard_unlock();
}

/* Before the call that receives it: the handle may be another message's as soon as it returns. */
struct sca_request *sca_matched_take(sca_word message)
{
    sca_guard_lock();
    struct sca_request *taken = sca_requests_any() ? sca_requests_find(message) : NULL;
    if (taken && !taken->receive)
        taken = NULL;
    if (taken)
        sca_requests_unlink(taken);
    sca_guard_unlock();
    return taken;
}

void sca_matched_lost(struct sca_request *taken)
{
    sca_guard_lock();
    if (taken)
        sca_requests_give_up(taken);
    sca_guard_unlock();
}

void sca_matched_recv(struct sca_call *call, struct sca_request *taken, sca_word status)
{
    if (!taken)
        return;
    uint64_t bytes = sca_abi_status_bytes((const void *)status);
    sca_guard_lock();
    struct sca_receive *receive = taken->receive;
    taken->receive = NULL;
    sca_traffic_received(call, taken->comm, receive->peer, bytes);
    sca_receive_complete(receive, call, receive->peer, receive->tag, bytes);
    sca_requests_forget(taken);
    sca_guard_unlock();
}

void sca_matched_irecv(struct sca_request *taken, sca_word handle)
{
    if (!taken)
        return;
    sca_guard_lock();
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_RECV, taken->comm);
    if (request) {
        request->receive = taken->receive;
        request->active = true;
        taken->receive = NULL;
    }
    sca_requests_forget(taken);
    sca_guard_unlock();
}
