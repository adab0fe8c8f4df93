#include "calls/traffic.h"
#include "mpi/abi.h"
#include "arena/arena.h"
#include "calls/channel.h"
#include "base/guard.h"
#include "calls/receive.h"
#include "calls/requests.h"
#include "windows/window.h"

static void book_peer(const struct sca_call *call, struct sca_communicator *comm, int32_t peer,
                      uint32_t direction, uint64_t count, uint64_t bytes)
{
    const uint32_t key[] = {call->site, sca_comm_record_index(comm), (uint32_t)peer, direction};
    if (call->site == SCA_NONE || key[1] == SCA_NONE)
        return;
    uint32_t index = sca_arena_find_again(SCA_T_PEERS, key, 4);
    if (index == SCA_NONE)
        return;
    struct sca_part_peer *at = (struct sca_part_peer *)sca_arena_table(SCA_T_PEERS) + index;
    at->bytes += bytes;
    at->count += count;
}

void sca_traffic_received(struct sca_call *call, struct sca_communicator *comm, int32_t peer,
                          uint64_t bytes)
{
    call->bytes += bytes;
    book_peer(call, comm, peer, SCA_RECEIVED, 1, bytes);
}

static void note_send(struct sca_communicator *comm, const struct sca_channel *channel,
                      uint64_t number, uint64_t bytes, enum sca_op_kind kind)
{
    struct sca_op op = {.kind = (uint8_t)kind,
                        .comm = sca_comm_record_index(comm),
                        .peer = channel->peer,
                        .tag = channel->tag,
                        .number = number,
                        .bytes = bytes};
    sca_window_op(&op);
}

bool sca_traffic_waits(unsigned function, uint64_t bytes)
{
    switch (function) {
    case SCA_FN_Ssend:
    case SCA_FN_Ssend_c:
    case SCA_FN_Issend:
    case SCA_FN_Issend_c:
    case SCA_FN_Ssend_init:
    case SCA_FN_Ssend_init_c:
        return true;
    case SCA_FN_Bsend:
    case SCA_FN_Bsend_c:
    case SCA_FN_Ibsend:
    case SCA_FN_Ibsend_c:
    case SCA_FN_Bsend_init:
    case SCA_FN_Bsend_init_c:
        return false;
    default:
        return bytes > sca_abi.eager;
    }
}

struct sca_channel *sca_traffic_post(struct sca_call *call, struct sca_communicator *comm,
                                     int32_t peer, int tag, uint64_t bytes, uint64_t *number)
{
    call->bytes += bytes;
    book_peer(call, comm, peer, SCA_SENT, 1, bytes);
    struct sca_channel *channel = sca_channel_find(comm, peer, tag, SCA_SENT);
    const struct sca_turn turn = sca_channel_turn(call);
    if (!sca_channel_number(channel, &turn, number))
        return NULL;
    sca_message_sent(channel, call, sca_comm_record_index(comm), *number, bytes);
    note_send(comm, channel, *number, bytes, SCA_OP_SEND);
    return channel;
}

void sca_traffic_sent(struct sca_call *call, struct sca_request *request)
{
    struct sca_communicator *comm = request->comm;
    book_peer(call, comm, request->peer, SCA_SENT, 1, request->bytes);
    if (!request->channel || request->channel->tainted)
        return;
    sca_message_sent(request->channel, call, sca_comm_record_index(comm), request->number,
                     request->bytes);
    note_send(comm, request->channel, request->number, request->bytes, SCA_OP_SEND);
}

void sca_traffic_send(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                      sca_word comm)
{
    if (peer == sca_abi.proc_null)
        return;
    uint64_t number, bytes = sca_abi_type_bytes(count, type);
    struct sca_communicator *c = sca_comm_lock(comm);
    if (!c)
        return;
    struct sca_channel *channel =
        sca_traffic_post(call, c, sca_comm_record_world_rank(c, peer), tag, bytes, &number);
    if (channel && sca_traffic_waits(call->function, bytes))
        note_send(c, channel, number, bytes, SCA_OP_SEND_DONE);
    sca_guard_unlock();
}

void sca_traffic_isend(struct sca_call *call, int64_t count, sca_word type, int peer, int tag,
                       sca_word comm, sca_word handle)
{
    if (peer == sca_abi.proc_null)
        return;
    uint64_t number = 0, bytes = sca_abi_type_bytes(count, type);
    struct sca_communicator *c = sca_comm_lock(comm);
    if (!c)
        return;
    struct sca_channel *channel =
        sca_traffic_post(call, c, sca_comm_record_world_rank(c, peer), tag, bytes, &number);
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_SEND, c);
    if (request) {
        request->channel = channel;
        request->number = number;
        request->bytes = bytes;
        request->waits = sca_traffic_waits(call->function, bytes);
        request->active = true;
    }
    sca_guard_unlock();
}

/* A call that waits for a message without taking it: with none to count, it is known for whose. */
void sca_traffic_probed(struct sca_call *call, sca_word comm)
{
    struct sca_communicator *c = sca_comm_any_foreign() ? sca_comm_find(comm) : NULL;
    if (!c || !c->foreign)
        return;
    sca_guard_lock();
    book_peer(call, c, sca_comm_record_foreign(0), SCA_RECEIVED, 0, 0);
    sca_guard_unlock();
}

int32_t sca_traffic_source(const struct sca_communicator *comm, int peer)
{
    return peer == sca_abi.any_source ? SCA_ANY : sca_comm_record_world_rank(comm, peer);
}

int32_t sca_traffic_tag(int tag)
{
    return tag == sca_abi.any_tag ? SCA_ANY : tag;
}

void sca_traffic_recv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word status)
{
    if (peer == sca_abi.proc_null)
        return;
    uint64_t bytes = sca_abi_status_bytes((const void *)status);
    int32_t with = sca_abi_status_tag((const void *)status);
    struct sca_communicator *c = sca_comm_lock(comm);
    if (!c)
        return;
    int32_t from = sca_comm_record_world_rank(c, sca_abi_status_source((const void *)status));
    (void)tag; /* a blocking receive is posted and known at once */
    sca_traffic_received(call, c, from, bytes);
    struct sca_receive *receive = sca_receive_post(c, from, with, call);
    if (receive)
        sca_receive_complete(receive, call, from, with, bytes);
    sca_guard_unlock();
}

static void post_receive(struct sca_call *call, int peer, int tag, sca_word comm, sca_word handle,
                         bool untold)
{
    struct sca_communicator *c = peer == sca_abi.proc_null ? NULL : sca_comm_lock(comm);
    if (!c)
        return;
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_RECV, c);
    if (request) {
        request->receive =
            sca_receive_post(c, sca_traffic_source(c, peer), sca_traffic_tag(tag), call);
        request->active = true;
        request->untold = untold;
    }
    sca_guard_unlock();
}

void sca_traffic_irecv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word handle)
{
    post_receive(call, peer, tag, comm, handle, false);
}

void sca_traffic_isendrecv(struct sca_call *call, int peer, int tag, sca_word comm, sca_word handle)
{
    post_receive(call, peer, tag, comm, handle, sca_abi.isendrecv_untold);
}

/* What is next on this channel, if anything was sent or taken, nobody can tell from here on. */
static void give_up(int32_t peer, int32_t tag, sca_word comm, uint32_t direction)
{
    struct sca_communicator *c = sca_comm_lock(comm);
    if (!c)
        return;
    int32_t with = direction == SCA_RECEIVED ? sca_traffic_source(c, peer)
                                             : sca_comm_record_world_rank(c, peer);
    struct sca_channel *channel = NULL;
    if (with == SCA_ANY || tag == SCA_ANY)
        c->receives_lost = true;
    else
        channel = sca_channel_find(c, with, tag, direction);
    if (channel)
        sca_channel_taint(channel, channel->count);
    sca_guard_unlock();
}

void sca_traffic_failed_send(int peer, int tag, sca_word comm)
{
    if (peer != sca_abi.proc_null)
        give_up(peer, tag, comm, SCA_SENT);
}

void sca_traffic_failed_recv(int peer, int tag, sca_word comm)
{
    if (peer != sca_abi.proc_null)
        give_up(peer, sca_traffic_tag(tag), comm, SCA_RECEIVED);
}

void sca_traffic_done(const struct sca_request *r)
{
    if (r->channel && r->waits && !r->channel->tainted)
        note_send(r->comm, r->channel, r->number, r->bytes, SCA_OP_SEND_DONE);
}
