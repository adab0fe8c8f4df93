/* Matched probes and their receives. */
#include "traffic.h"
#include "abi.h"
#include "guard.h"
#include "requests.h"

/* A matched probe takes its message out of MPI's queues: it is the receive. Messages are followed
 * in the table of requests: their handles never meet. */
void sca_on_mprobe(struct sca_call *call, sca_word comm, sca_word message, sca_word status)
{
    struct sca_communicator *c = sca_comm_find(comm);
    int source = sca_status_source((const void *)status);
    if (!c || source == sca_abi.proc_null)
        return;
    int32_t from = sca_comm_world_rank(c, source);
    sca_state_lock();
    struct sca_request *request = sca_request_add(message, SCA_REQUEST_RECV, c);
    if (request)
        request->receive =
            sca_receive_post(c, from, sca_status_tag((const void *)status), call->site);
    sca_state_unlock();
}

/* The receive of a matched message, taken out of the table; state lock held. */
static struct sca_receive *take_message(sca_word message, struct sca_communicator **comm)
{
    struct sca_request *request = sca_request_find(message);
    struct sca_receive *receive = request ? request->receive : NULL;
    if (!receive)
        return NULL;
    *comm = request->comm;
    request->receive = NULL;
    sca_request_forget(request);
    return receive;
}

void sca_on_mrecv(struct sca_call *call, sca_word message, sca_word status)
{
    struct sca_communicator *comm;
    uint64_t bytes = sca_status_bytes((const void *)status);
    sca_state_lock();
    struct sca_receive *receive = take_message(message, &comm);
    if (receive) {
        sca_traffic_received(call, comm, receive->peer, bytes);
        sca_receive_complete(receive, call, receive->peer, receive->tag, bytes);
    }
    sca_state_unlock();
}

void sca_on_imrecv(struct sca_call *call, sca_word message, sca_word handle)
{
    struct sca_communicator *comm;
    (void)call;
    sca_state_lock();
    struct sca_receive *receive = take_message(message, &comm);
    struct sca_request *request = receive ? sca_request_add(handle, SCA_REQUEST_RECV, comm) : NULL;
    if (request) {
        request->receive = receive;
        request->active = true;
    }
    sca_state_unlock();
}
