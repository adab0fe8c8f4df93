/* Persistent requests: what a message will be, and each start of it. */
#include "calls/traffic.h"
#include "mpi/abi.h"
#include "calls/collective.h"
#include "base/guard.h"
#include "calls/partitioned.h"
#include "calls/receive.h"
#include "calls/requests.h"

void sca_persistent_send_init(unsigned function, int64_t count, sca_word type, int peer, int tag,
                              sca_word comm, sca_word handle)
{
    struct sca_communicator *c = peer == sca_abi.proc_null ? NULL : sca_comm_find(comm);
    if (!c)
        return;
    uint64_t bytes = sca_abi_type_bytes(count, type);
    sca_guard_lock();
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_SEND, c);
    if (request) {
        request->persistent = true;
        request->peer = sca_comm_record_world_rank(c, peer);
        request->tag = tag;
        request->bytes = bytes;
        request->waits = sca_traffic_waits(function, bytes);
    }
    sca_guard_unlock();
}

void sca_persistent_recv_init(int peer, int tag, sca_word comm, sca_word handle)
{
    struct sca_communicator *c = peer == sca_abi.proc_null ? NULL : sca_comm_find(comm);
    if (!c)
        return;
    sca_guard_lock();
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_RECV, c);
    if (request) {
        request->persistent = true;
        request->peer = sca_traffic_source(c, peer);
        request->tag = sca_traffic_tag(tag);
    }
    sca_guard_unlock();
}

void sca_persistent_start(struct sca_call *call, sca_word handle)
{
    sca_guard_lock();
    struct sca_request *r = sca_requests_find(handle);
    if (r && r->persistent) {
        r->active = true;
        if (r->kind == SCA_REQUEST_SEND && r->partitions)
            sca_partitioned_start(call, r);
        else if (r->kind == SCA_REQUEST_SEND)
            r->channel = sca_traffic_post(call, r->comm, r->peer, r->tag, r->bytes, &r->number);
        else if (r->kind == SCA_REQUEST_RECV)
            r->receive = sca_receive_post(r->comm, r->peer, r->tag, call);
        else if (r->kind == SCA_REQUEST_COLLECTIVE)
            sca_collective_start(call, r);
    }
    sca_guard_unlock();
}

void sca_persistent_start_all(struct sca_call *call, int64_t count, sca_word requests, int fortran)
{
    for (int64_t i = 0; i < count; i++)
        sca_persistent_start(call, sca_abi_request_at(requests, i, fortran));
}
