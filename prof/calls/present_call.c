#include "calls/present_call.h"
#include "calls/channel.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/receive.h"
#include "calls/requests.h"
#include "base/hot.h"

enum { KNOWN_BITS = 2 };

/* Communicators whose record this thread has asked for lately. */
struct known {
    uint64_t handle;
    struct sca_communicator *comm; /* NULL: there is none */
    uint32_t index, age;           /* the age it was known in */
};
static _Thread_local struct known known[1 << KNOWN_BITS] __attribute__((tls_model("initial-exec")));

/* While nothing is booked, communicators get no record. */
static SCA_COLD void learn(struct known *at, uint64_t handle)
{
    uint32_t now = sca_comm_age();
    sca_thread.in_tool++;
    struct sca_communicator *comm = sca_comm_lock(handle);
    uint32_t index = !comm ? SCA_NONE : sca_paused ? comm->index : sca_comm_record_index(comm);
    if (comm)
        sca_guard_unlock();
    sca_thread.in_tool--;
    *at = (struct known){handle, comm, index, index == SCA_NONE ? 0 : now};
}

static inline const struct known *find(sca_word argument)
{
    uint64_t handle = sca_abi_handle(argument);
    struct known *at = &known[handle * 0x9e3779b97f4a7c15u >> (64 - KNOWN_BITS)];
    if (__builtin_expect(at->handle != handle || at->age != sca_comm_age(), 0))
        learn(at, handle);
    return at;
}

/* How many are told of this call; they are taken back while one more is added. */
static inline uint32_t begin(struct sca_part_present *present)
{
    uint32_t n = present->detail == present->turn ? present->nawaited : 0;
    __atomic_store_n(&present->detail, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return n;
}

static inline void end(struct sca_part_present *present, uint32_t n, bool any)
{
    present->nawaited = n;
    present->any = any;
    __atomic_store_n(&present->detail, present->turn, __ATOMIC_RELEASE);
}

static inline void put(struct sca_part_present *present, uint32_t n,
                       struct sca_part_awaited awaited)
{
    if (n < SCA_PRESENT_AWAITED)
        present->awaited[n] = awaited;
}

static inline void add(struct sca_part_awaited awaited)
{
    struct sca_part_present *present = sca_thread.present;
    uint32_t n = begin(present);
    put(present, n, awaited);
    end(present, n + 1, false);
}

void sca_present_message(enum sca_awaited_kind kind, int peer, int tag, sca_word comm)
{
    if (peer == sca_abi.proc_null)
        return;
    const struct known *at = find(comm);
    int32_t whom = peer == sca_abi.any_source ? SCA_AWAITS_ANY
                   : at->comm                 ? sca_comm_record_world_rank(at->comm, peer)
                                              : -1;
    add((struct sca_part_awaited){kind, at->index, whom,
                                  tag == sca_abi.any_tag ? SCA_AWAITS_ANY : tag});
}

void sca_present_collective(int shape, int root, sca_word comm)
{
    const struct known *at = find(comm);
    int32_t whom = -1;
    if (!at->comm)
        return;
    if (root != SCA_NO_ROOT)
        whom = at->comm->inter ? -1 : sca_comm_record_world_rank(at->comm, root);
    add((struct sca_part_awaited){SCA_AWAITS_COLLECTIVE + (uint32_t)shape, at->index, whom,
                                  (int32_t)at->comm->collectives});
}

/* An eager send waits for nobody. The calling thread alone has these requests. */
static bool is_awaited(const struct sca_request *request, struct sca_part_awaited *out)
{
    const struct sca_communicator *comm = request->comm;
    if (!comm || (request->persistent && !request->active))
        return false;
    uint32_t index = comm->index == SCA_NONE ? find(comm->handle)->index : comm->index;
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
    begin(present);
    for (int64_t i = 0; i < wait->count; i++)
        if (wait->requests[i] && is_awaited(wait->requests[i], &awaited))
            put(present, n++, awaited);
        else if (any && may_end_it(wait, i))
            known = false;
    if (n && known)
        end(present, n, any);
}
