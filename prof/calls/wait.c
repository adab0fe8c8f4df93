/* What a call of the Wait and Test families completes. */
#include "mpi/abi.h"
#include "calls/collective.h"
#include "calls/comm_new.h"
#include "base/guard.h"
#include "base/pool.h"
#include "calls/receive.h"
#include "calls/requests.h"
#include "calls/traffic.h"

enum {
    FEW = 16, /* requests of a call that need no memory of the pool */
    AHEAD = 8 /* requests that are fetched from memory so many turns before theirs */
};

/* Held until now: its handle may be in use again already. State lock held. */
static void release(struct sca_request *request)
{
    request->held = false;
    request->active = false;
    request->cancelled = false;
    request->channel = NULL;
    if (!request->persistent)
        sca_requests_forget(request);
}

/* Its status says nothing: the message keeps its number, but not its name, since nobody knows how
 * long it was; nor which it was, if it was a wildcard's. */
static void receive_untold(struct sca_call *call, struct sca_request *request)
{
    struct sca_receive *receive = request->receive;
    sca_guard_lock();
    request->receive = NULL;
    if (receive && !receive->numbered)
        request->comm->receives_lost = true;
    if (receive && receive->peer != SCA_ANY)
        sca_traffic_received(call, request->comm, receive->peer, 0);
    if (receive)
        sca_receive_drop(receive);
    release(request);
    sca_guard_unlock();
}

static void receive_done(struct sca_call *call, struct sca_request *request, const void *status)
{
    if (request->untold) {
        receive_untold(call, request);
        return;
    }
    struct sca_receive *receive = request->receive;
    struct sca_communicator *comm = request->comm;
    int cancelled = 0;
    if (request->cancelled)
        sca_mpi.test_cancelled(status, &cancelled);
    uint64_t bytes = cancelled ? 0 : sca_abi_status_bytes(status);
    int32_t peer = sca_comm_record_world_rank(comm, sca_abi_status_source(status));
    int32_t tag = request->partitions ? request->tag : sca_abi_status_tag(status);
    sca_guard_lock();
    request->receive = NULL;
    if (!cancelled)
        sca_traffic_received(call, comm, peer, bytes);
    if (receive && cancelled)
        sca_receive_drop(receive);
    else if (receive)
        sca_receive_complete(receive, call, peer, tag, bytes);
    release(request);
    sca_guard_unlock();
}

static void complete(struct sca_request *request, bool idle)
{
    sca_guard_lock();
    if (!idle && request->kind == SCA_REQUEST_SEND)
        sca_traffic_done(request);
    if (!idle && request->kind == SCA_REQUEST_COLLECTIVE)
        sca_collective_done(request);
    release(request);
    sca_guard_unlock();
}

static void done(struct sca_call *call, struct sca_request *request, const void *status)
{
    bool idle = request->persistent && !request->active;
    if (request->kind == SCA_REQUEST_IDUP)
        sca_comm_new_idup_done(request->function, request->name, request->address,
                               request->fortran);
    if (!idle && request->kind == SCA_REQUEST_RECV)
        receive_done(call, request, status);
    else
        complete(request, idle);
}

static bool is_nothing(sca_word handle, const struct sca_request *request)
{
    return request ? request->persistent && !request->active : handle == sca_abi.request_null;
}

/* State lock held. */
static void hold_one(struct sca_wait *wait, int64_t i, sca_word handle)
{
    struct sca_request *request = sca_requests_find(handle);
    if (request && request->held)
        request = NULL;
    if (request)
        request->held = true;
    wait->requests[i] = request;
    wait->nothing &= is_nothing(handle, request);
}

/* MPI is asked for Fortran's handles, without the lock. */
static void hold_fortran(struct sca_wait *wait)
{
    for (int64_t i = 0; i < wait->count; i++) {
        sca_word handle = sca_abi_request_at(wait->array, i, wait->fortran);
        sca_guard_lock();
        hold_one(wait, i, handle);
        sca_guard_unlock();
    }
}

static void look_ahead(const struct sca_wait *wait, int64_t i)
{
    if (i + 2 * AHEAD < wait->count)
        sca_requests_expect(sca_abi_request_at(wait->array, i + 2 * AHEAD, 0));
    if (i + AHEAD < wait->count)
        sca_requests_fetch(sca_abi_request_at(wait->array, i + AHEAD, 0));
}

/* A few requests under one lock: other threads wait for it. */
static void hold(struct sca_wait *wait, int64_t from, int64_t to)
{
    sca_guard_lock();
    bool far = sca_requests_far();
    for (int64_t i = from; i < to; i++) {
        if (__builtin_expect(far, 0))
            look_ahead(wait, i);
        hold_one(wait, i, sca_abi_request_at(wait->array, i, 0));
    }
    sca_guard_unlock();
}

static void hold_all(struct sca_wait *wait)
{
    wait->nothing = true;
    if (wait->fortran)
        hold_fortran(wait);
    for (int64_t i = 0; i < wait->count && !wait->fortran; i += FEW)
        hold(wait, i, i + FEW < wait->count ? i + FEW : wait->count);
}

void sca_wait_begin(struct sca_wait *wait, int64_t count, sca_word array, int fortran)
{
    wait->count = count;
    wait->array = array;
    wait->fortran = fortran;
    wait->requests = NULL;
    wait->statuses = NULL;
    wait->nothing = false;
    if (!sca_requests_any() || count <= 0)
        return;
    wait->requests = count <= FEW ? wait->few : sca_pool_alloc((size_t)count * sizeof *wait->few);
    if (wait->requests)
        hold_all(wait);
}

sca_word sca_wait_status(struct sca_wait *wait, sca_word status)
{
    struct sca_status_room *room = (struct sca_status_room *)wait->few_statuses;
    return wait->requests ? sca_abi_status_own(status, room, wait->fortran) : status;
}

sca_word sca_wait_statuses(struct sca_wait *wait, sca_word statuses)
{
    if (!wait->requests || !sca_abi_statuses_ignored(statuses, wait->fortran))
        return statuses;
    if (wait->count <= FEW)
        return (sca_word)wait->few_statuses;
    wait->statuses = sca_pool_alloc((size_t)wait->count * sca_abi.status_size);
    return wait->statuses ? (sca_word)wait->statuses : statuses;
}

void sca_wait_one(struct sca_call *call, struct sca_wait *wait, int64_t i, sca_word status)
{
    if (!wait->requests || i < 0 || i >= wait->count || !wait->requests[i])
        return;
    struct sca_request *request = wait->requests[i];
    wait->requests[i] = NULL;
    done(call, request, (const void *)status);
}

/* What was held lies far back again when there are many. */
static void look_back(const struct sca_wait *wait, int64_t i)
{
    const struct sca_request *request = i + AHEAD < wait->count ? wait->requests[i + AHEAD] : NULL;
    if (i + 2 * AHEAD < wait->count)
        __builtin_prefetch(wait->requests[i + 2 * AHEAD], 1);
    if (request) {
        sca_requests_expect(request->handle);
        __builtin_prefetch(request->receive, 1);
    }
}

void sca_wait_all(struct sca_call *call, struct sca_wait *wait, sca_word statuses)
{
    if (sca_abi_statuses_ignored(statuses, wait->fortran))
        return;
    bool far = sca_requests_far();
    for (int64_t i = 0; i < wait->count; i++) {
        if (__builtin_expect(far, 0))
            look_back(wait, i);
        sca_wait_one(call, wait, i, statuses + (sca_word)i * sca_abi.status_size);
    }
}

void sca_wait_any(struct sca_call *call, struct sca_wait *wait, sca_word index, sca_word status)
{
    int32_t i = *(const int32_t *)index;
    if (i != sca_abi.undefined)
        sca_wait_one(call, wait, i - wait->fortran, status);
}

void sca_wait_some(struct sca_call *call, struct sca_wait *wait, sca_word outcount,
                   sca_word indices, sca_word statuses)
{
    int32_t n = *(const int32_t *)outcount;
    if (n == sca_abi.undefined || sca_abi_statuses_ignored(statuses, wait->fortran))
        return;
    for (int32_t j = 0; j < n; j++)
        sca_wait_one(call, wait, ((const int32_t *)indices)[j] - wait->fortran,
                     statuses + (sca_word)j * sca_abi.status_size);
}

/* What is still held did not complete; or failed, if its handle has become null. */
static void let_go(struct sca_wait *wait, struct sca_request *request, int64_t i, bool ok)
{
    bool gone = !ok && sca_abi_request_at(wait->array, i, wait->fortran) == sca_abi.request_null;
    sca_guard_lock();
    request->held = false;
    if (gone)
        sca_requests_give_up(request);
    else if (!request->linked)
        sca_requests_forget(request);
    sca_guard_unlock();
}

void sca_wait_end(struct sca_wait *wait, bool ok)
{
    if (!wait->requests)
        return;
    for (int64_t i = 0; i < wait->count; i++)
        if (wait->requests[i])
            let_go(wait, wait->requests[i], i, ok);
    if (wait->requests != wait->few)
        sca_pool_free(wait->requests, (size_t)wait->count * sizeof *wait->few);
    sca_pool_free(wait->statuses, (size_t)wait->count * sca_abi.status_size);
}
