#include "requests.h"
#include "abi.h"
#include "guard.h"
#include "hash.h"
#include "pool.h"
#include "traffic.h"

enum { BUCKETS = 1024, FEW = 16 /* requests of a call that need no memory of the pool */ };

static struct sca_request *buckets[BUCKETS];
static volatile unsigned followed;

static struct sca_request **slot_of(sca_word handle)
{
    struct sca_request **at = &buckets[sca_mix(0, handle) % BUCKETS];
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

struct sca_request *sca_request_find(sca_word handle)
{
    struct sca_request *request = *slot_of(handle);
    return request && !request->common ? request : NULL;
}

static void unlink_request(struct sca_request *request)
{
    struct sca_request **at = slot_of(request->handle);
    while (*at != request)
        at = &(*at)->next;
    *at = request->next;
    request->linked = false;
}

void sca_request_forget(struct sca_request *request)
{
    if (request->linked)
        unlink_request(request);
    if (request->receive)
        sca_receive_drop(request->receive);
    if (request->comm)
        sca_comm_unuse(request->comm);
    sca_pool_free(request, sizeof *request);
    followed--;
}

/* True if the entry's handle is a common one, now or since earlier. */
static bool is_common(struct sca_request *old, enum sca_request_kind kind)
{
    if (kind != SCA_REQUEST_SEND)
        return false;
    if (old->kind == SCA_REQUEST_SEND && !old->persistent && !old->common) {
        old->common = true;
        if (old->comm)
            sca_comm_unuse(old->comm);
        old->comm = NULL;
    }
    return old->common;
}

struct sca_request *sca_request_add(sca_word handle, enum sca_request_kind kind,
                                    struct sca_communicator *comm)
{
    if (handle == sca_abi.request_null || (handle && handle == sca_abi.request_empty))
        return NULL;
    struct sca_request *old = *slot_of(handle);
    if (old && is_common(old, kind))
        return NULL;
    if (old && old->held)
        unlink_request(old);
    else if (old)
        sca_request_forget(old);
    struct sca_request *request = sca_pool_alloc(sizeof *request);
    if (!request)
        return NULL;
    struct sca_request **at = slot_of(handle);
    request->handle = handle;
    request->kind = (uint8_t)kind;
    request->linked = true;
    request->comm = comm;
    if (comm)
        sca_comm_use(comm);
    *at = request;
    followed++;
    return request;
}

void sca_request_idup(sca_word handle, unsigned function, uint64_t parent_id, sca_word address,
                      int fortran)
{
    sca_state_lock();
    struct sca_request *request = sca_request_add(handle, SCA_REQUEST_IDUP, NULL);
    if (request) {
        request->function = (uint16_t)function;
        request->parent_id = parent_id;
        request->address = address;
        request->fortran = fortran;
    }
    sca_state_unlock();
}

void sca_on_cancel(sca_word handle)
{
    sca_state_lock();
    struct sca_request *request = sca_request_find(handle);
    if (request) {
        request->cancelled = true;
        if (request->receive)
            sca_receive_cancel(request->receive);
        if (request->channel)
            sca_channel_taint(request->channel, request->number);
    }
    sca_state_unlock();
}

/* A send goes on by itself. Of a receive nobody will hear any more: whatever it may match has no
 * name, and if it was a wildcard, nothing on the communicator has. */
static void give_up(struct sca_request *request)
{
    struct sca_receive *receive = request->receive;
    if (receive && !receive->numbered)
        request->comm->id = 0;
    if (receive)
        sca_receive_cancel(receive);
    sca_request_forget(request);
}

void sca_on_request_free(sca_word handle)
{
    sca_state_lock();
    struct sca_request *request = sca_request_find(handle);
    if (request)
        give_up(request);
    sca_state_unlock();
}

static void receive_done(struct sca_call *call, struct sca_request *request, const void *status)
{
    struct sca_receive *receive = request->receive;
    struct sca_communicator *comm = request->comm;
    int cancelled = 0;
    if (request->cancelled)
        sca_mpi.test_cancelled(status, &cancelled);
    uint64_t bytes = cancelled ? 0 : sca_status_bytes(status);
    int32_t peer = sca_comm_world_rank(comm, sca_status_source(status));
    int32_t tag = request->partitions ? request->tag : sca_status_tag(status);
    sca_state_lock();
    request->receive = NULL;
    if (!cancelled)
        sca_traffic_received(call, comm, peer, bytes);
    if (receive && cancelled)
        sca_receive_drop(receive);
    else if (receive)
        sca_receive_complete(receive, call, peer, tag, bytes);
    sca_state_unlock();
}

/* Held until now: its handle may be in use again already. */
static void release(struct sca_request *request)
{
    sca_state_lock();
    request->held = false;
    request->active = false;
    request->cancelled = false;
    request->channel = NULL;
    if (!request->persistent)
        sca_request_forget(request);
    sca_state_unlock();
}

static void done(struct sca_call *call, struct sca_request *request, const void *status)
{
    bool idle = request->persistent && !request->active;
    if (!idle && request->kind == SCA_REQUEST_RECV)
        receive_done(call, request, status);
    else if (!idle)
        sca_traffic_done(request);
    if (request->kind == SCA_REQUEST_IDUP)
        sca_comm_idup_done(request->function, request->parent_id, request->address,
                           request->fortran);
    release(request);
}

/* MPI is asked for the handles without the lock. */
static void hold(struct sca_wait *wait)
{
    for (int64_t i = 0; i < wait->count; i++) {
        sca_word handle = sca_request_at(wait->array, i, wait->fortran);
        sca_state_lock();
        struct sca_request *request = sca_request_find(handle);
        if (request && request->held)
            request = NULL;
        if (request)
            request->held = true;
        wait->requests[i] = request;
        sca_state_unlock();
    }
}

void sca_wait_begin(struct sca_wait *wait, int64_t count, sca_word array, int fortran)
{
    wait->count = count;
    wait->array = array;
    wait->fortran = fortran;
    wait->requests = NULL;
    wait->statuses = NULL;
    if (!followed || count <= 0)
        return;
    wait->requests = count <= FEW ? wait->few : sca_pool_alloc((size_t)count * sizeof *wait->few);
    if (wait->requests)
        hold(wait);
}

sca_word sca_wait_status(struct sca_wait *wait, sca_word status)
{
    struct sca_status_room *room = (struct sca_status_room *)wait->few_statuses;
    return wait->requests ? sca_status_own(status, room, wait->fortran) : status;
}

sca_word sca_wait_statuses(struct sca_wait *wait, sca_word statuses)
{
    if (!wait->requests || !sca_statuses_ignored(statuses, wait->fortran))
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

void sca_wait_all(struct sca_call *call, struct sca_wait *wait, sca_word statuses)
{
    if (sca_statuses_ignored(statuses, wait->fortran))
        return;
    for (int64_t i = 0; i < wait->count; i++)
        sca_wait_one(call, wait, i, statuses + (sca_word)i * sca_abi.status_size);
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
    if (n == sca_abi.undefined || sca_statuses_ignored(statuses, wait->fortran))
        return;
    for (int32_t j = 0; j < n; j++)
        sca_wait_one(call, wait, ((const int32_t *)indices)[j] - wait->fortran,
                     statuses + (sca_word)j * sca_abi.status_size);
}

/* What is still held did not complete; or failed, if its handle has become null. */
static void let_go(struct sca_wait *wait, struct sca_request *request, int64_t i, bool ok)
{
    bool gone = !ok && sca_request_at(wait->array, i, wait->fortran) == sca_abi.request_null;
    sca_state_lock();
    request->held = false;
    if (gone)
        give_up(request);
    else if (!request->linked)
        sca_request_forget(request);
    sca_state_unlock();
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
