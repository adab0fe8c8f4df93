#include "calls/partitioned.h"
#include "mpi/abi.h"
#include "calls/channel.h"
#include "base/guard.h"
#include "base/hash.h"
#include "calls/requests.h"
#include "calls/traffic.h"

/* Sends and receives of one name are told apart by their order: the first keeps its tag. */
static int32_t tag_of(struct sca_communicator *comm, int32_t peer, int tag, uint32_t direction,
                      const struct sca_turn *turn)
{
    uint64_t order = 0;
    uint32_t mask = SCA_PARTITIONED / 2 - 1, bit = SCA_PARTITIONED / 2;
    struct sca_channel *made = sca_channel_find(
        comm, peer, (int32_t)(SCA_PARTITIONED | bit | ((uint32_t)tag & mask)), direction);
    bool named = sca_channel_number(made, turn, &order);
    uint32_t own = order ? (uint32_t)sca_hash_mix((uint32_t)tag, order) : (uint32_t)tag;
    int32_t result = (int32_t)(SCA_PARTITIONED | (own & mask));
    struct sca_channel *channel = named ? NULL : sca_channel_find(comm, peer, result, direction);
    if (channel)
        channel->tainted = true;
    return result;
}

/* State lock held. */
static struct sca_request *make(enum sca_request_kind kind, struct sca_communicator *comm, int peer,
                                int tag, sca_word handle, const struct sca_call *call)
{
    const struct sca_turn turn = sca_channel_turn(call);
    struct sca_request *request = sca_requests_add(handle, kind, comm);
    if (!request)
        return NULL;
    request->persistent = true;
    request->peer = sca_comm_record_world_rank(comm, peer);
    request->tag =
        tag_of(comm, request->peer, tag, kind == SCA_REQUEST_SEND ? SCA_SENT : SCA_RECEIVED, &turn);
    request->partitions = 1;
    return request;
}

void sca_partitioned_send_init(const struct sca_call *call, int64_t partitions, int64_t count,
                               sca_word type, int peer, int tag, sca_word comm, sca_word handle)
{
    struct sca_communicator *c = peer == sca_abi.proc_null ? NULL : sca_comm_find(comm);
    if (!c || partitions <= 0)
        return;
    uint64_t bytes = sca_abi_type_bytes(count, type) * (uint64_t)partitions;
    sca_guard_lock();
    struct sca_request *request = make(SCA_REQUEST_SEND, c, peer, tag, handle, call);
    if (request) {
        request->partitions = partitions;
        request->bytes = bytes;
        request->waits = bytes > sca_abi.eager;
    }
    sca_guard_unlock();
}

void sca_partitioned_recv_init(const struct sca_call *call, int peer, int tag, sca_word comm,
                               sca_word handle)
{
    struct sca_communicator *c = peer == sca_abi.proc_null ? NULL : sca_comm_find(comm);
    if (!c)
        return;
    sca_guard_lock();
    make(SCA_REQUEST_RECV, c, peer, tag, handle, call);
    sca_guard_unlock();
}

/* Numbered here: the threads that ready its parts may be many. */
void sca_partitioned_start(const struct sca_call *call, struct sca_request *request)
{
    const struct sca_turn turn = sca_channel_turn(call);
    request->ready = 0;
    request->channel = sca_channel_find(request->comm, request->peer, request->tag, SCA_SENT);
    if (!sca_channel_number(request->channel, &turn, &request->number))
        request->channel = NULL;
}

void sca_partitioned_ready(struct sca_call *call, int64_t partitions, sca_word handle)
{
    sca_guard_lock();
    struct sca_request *request = sca_requests_find(handle);
    if (request && request->partitions && request->active && partitions > 0) {
        call->bytes += request->bytes / (uint64_t)request->partitions * (uint64_t)partitions;
        request->ready += partitions;
        if (request->ready == request->partitions)
            sca_traffic_sent(call, request);
    }
    sca_guard_unlock();
}
