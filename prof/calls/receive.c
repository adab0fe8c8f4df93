/* Receives in post order: which of them can be numbered, and when. */
#include "calls/receive.h"
#include "calls/comm.h"
#include "base/pool.h"
#include "profile/event_io.h"
#include "windows/window.h"

static bool unknown(const struct sca_receive *r)
{
    return r->peer == SCA_ANY || r->tag == SCA_ANY;
}

/* Could the wildcard take a message that the other one stands in line for? */
static bool contends(const struct sca_receive *wildcard, const struct sca_receive *r)
{
    bool peer = wildcard->peer == SCA_ANY || r->peer == SCA_ANY || wildcard->peer == r->peer;
    bool tag = wildcard->tag == SCA_ANY || r->tag == SCA_ANY || wildcard->tag == r->tag;
    return peer && tag;
}

/* Is an unknown one before r in the queue (before the end, if r is not in it) that contends? */
static bool must_wait(const struct sca_receive *r)
{
    const struct sca_receive *before = r->comm->first;
    for (; before && before != r; before = before->next)
        if (unknown(before) && contends(before, r))
            return true;
    return false;
}

static void number(struct sca_receive *r)
{
    r->channel = sca_channel_find(r->comm, r->peer, r->tag, SCA_RECEIVED);
    if (!sca_channel_number(r->channel, &r->post, &r->number))
        r->channel = NULL;
    r->numbered = true;
    if (r->channel) {
        sca_window_number(r->post_op, r->peer, r->tag, r->number);
        sca_window_number(r->done_op, r->peer, r->tag, r->number);
    }
}

static uint64_t note(const struct sca_receive *r, enum sca_op_kind kind)
{
    bool named = r->channel && !r->channel->tainted;
    struct sca_op op = {.kind = (uint8_t)kind,
                        .comm = sca_comm_record_index(r->comm),
                        .peer = r->peer,
                        .tag = r->tag,
                        .number = named ? r->number : SCA_UNNAMED,
                        .bytes = kind == SCA_OP_RECV ? r->bytes : 0};
    return sca_window_op(&op);
}

static void enqueue(struct sca_receive *r)
{
    if (r->comm->last)
        r->comm->last->next = r;
    else
        r->comm->first = r;
    r->comm->last = r;
    r->comm->waiting += !unknown(r);
    r->queued = true;
}

static void dequeue(struct sca_receive *r)
{
    struct sca_receive **at = &r->comm->first, *before = NULL;
    for (; *at != r; at = &before->next)
        before = *at;
    *at = r->next;
    if (r->comm->last == r)
        r->comm->last = before;
    r->comm->waiting -= !unknown(r);
    r->queued = false;
    r->next = NULL;
}

static void finish(struct sca_receive *r)
{
    struct sca_communicator *comm = r->comm;
    if (r->complete && r->channel && !r->channel->tainted)
        sca_message_received(r);
    sca_pool_free(r, sizeof *r);
    sca_comm_unuse(comm);
}

/* Something in the queue has changed: number what no longer waits. Thousands of wildcards may
 * stand behind those that do. */
static void settle(struct sca_communicator *comm)
{
    struct sca_receive *next;
    uint32_t left = comm->waiting;
    sca_comm_use(comm);
    for (struct sca_receive *r = comm->first; r && left; r = next) {
        next = r->next;
        if (unknown(r))
            continue;
        left--;
        if (must_wait(r))
            continue;
        dequeue(r);
        number(r);
        if (r->complete)
            finish(r);
    }
    sca_comm_unuse(comm);
}

static void learn(struct sca_receive *r, int32_t peer, int32_t tag)
{
    bool was = unknown(r);
    r->peer = peer;
    r->tag = tag;
    r->comm->waiting += r->queued && was && !unknown(r);
}

struct sca_receive *sca_receive_post(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     const struct sca_call *call)
{
    struct sca_receive *r = sca_pool_alloc(sizeof *r);
    if (!r) {
        comm->receives_lost = true;
        return NULL;
    }
    r->comm = comm;
    r->peer = peer;
    r->tag = tag;
    r->post_site = call->site;
    r->post = sca_channel_turn(call);
    r->post_op = r->done_op = SCA_NO_OP;
    sca_comm_use(comm);
    if (unknown(r) || must_wait(r))
        enqueue(r);
    else
        number(r);
    r->post_op = note(r, SCA_OP_RECV_POST);
    return r;
}

void sca_receive_known(struct sca_receive *r, int32_t peer, int32_t tag)
{
    learn(r, peer, tag);
    if (r->queued)
        settle(r->comm);
}

void sca_receive_complete(struct sca_receive *r, const struct sca_call *call, int32_t peer,
                          int32_t tag, uint64_t bytes)
{
    learn(r, peer, tag);
    r->site = call->site;
    r->bytes = bytes;
    r->enter_ns = call->enter_ns;
    r->exit_ns = call->exit_ns;
    r->complete = true;
    r->done_op = note(r, SCA_OP_RECV);
    if (r->channel && r->channel->tainted)
        sca_window_number(r->post_op, peer, tag, SCA_UNNAMED);
    if (r->queued)
        settle(r->comm);
    else
        finish(r);
}

void sca_receive_lose(struct sca_receive *r)
{
    if (!r->numbered)
        r->comm->receives_lost = true;
    sca_receive_cancel(r);
}

void sca_receive_cancel(struct sca_receive *r)
{
    if (r->channel)
        sca_channel_taint(r->channel, r->number);
}

void sca_receive_drop(struct sca_receive *r)
{
    struct sca_communicator *comm = r->comm;
    sca_comm_use(comm);
    if (r->queued)
        dequeue(r);
    sca_window_number(r->post_op, r->peer, r->tag, SCA_UNNAMED);
    r->complete = false;
    finish(r);
    settle(comm);
    sca_comm_unuse(comm);
}
