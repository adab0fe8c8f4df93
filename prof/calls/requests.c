#include "calls/requests.h"
#include "calls/receive.h"
#include "mpi/abi.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/pool.h"
#include "calls/comm.h"

enum { FEW = 32, BUCKETS = 1024 };

/* Mostly few are under way: these are found without the large table. */
static struct sca_request *few[FEW] SCA_HOT_TABLE, *many[BUCKETS];
static struct sca_request **buckets SCA_HOT = few;
static uint64_t mask SCA_HOT = FEW - 1;
static volatile unsigned followed SCA_HOT;

bool sca_requests_any(void)
{
    return followed;
}

static struct sca_request **slot_of(sca_word handle)
{
    struct sca_request **at = &buckets[sca_hash_mix(0, handle) & mask];
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static void insert(struct sca_request *request)
{
    struct sca_request **at = slot_of(request->handle);
    request->next = NULL;
    *at = request;
}

static SCA_COLD void take_large_table(void)
{
    buckets = many;
    mask = BUCKETS - 1;
    for (unsigned i = 0; i < FEW; i++) {
        struct sca_request *next;
        for (struct sca_request *request = few[i]; request; request = next) {
            next = request->next;
            insert(request);
        }
        few[i] = NULL;
    }
}

struct sca_request *sca_requests_find(sca_word handle)
{
    struct sca_request *request = *slot_of(handle);
    return request && !request->common ? request : NULL;
}

void sca_requests_unlink(struct sca_request *request)
{
    struct sca_request **at = slot_of(request->handle);
    while (*at != request)
        at = &(*at)->next;
    *at = request->next;
    request->linked = false;
}

void sca_requests_forget(struct sca_request *request)
{
    if (request->linked)
        sca_requests_unlink(request);
    if (request->receive)
        sca_receive_drop(request->receive);
    if (request->comm)
        sca_comm_unuse(request->comm);
    sca_pool_free(request, sizeof *request);
    followed--;
}

/* True if the entry's handle is a common one, now or since earlier. One that a Wait is looking at
 * may be complete, and its handle another thread's by now. */
static bool is_common(struct sca_request *old, enum sca_request_kind kind)
{
    if (kind != SCA_REQUEST_SEND || old->held)
        return false;
    if (old->kind == SCA_REQUEST_SEND && !old->persistent && !old->common) {
        old->common = true;
        if (old->comm)
            sca_comm_unuse(old->comm);
        old->comm = NULL;
    }
    return old->common;
}

struct sca_request *sca_requests_add(sca_word handle, enum sca_request_kind kind,
                                     struct sca_communicator *comm)
{
    if (handle == sca_abi.request_null || (handle && handle == sca_abi.request_empty))
        return NULL;
    struct sca_request *old = *slot_of(handle);
    if (old && is_common(old, kind))
        return NULL;
    if (old && old->held)
        sca_requests_unlink(old);
    else if (old)
        sca_requests_forget(old);
    struct sca_request *request = sca_pool_alloc(sizeof *request);
    if (!request)
        return NULL;
    request->handle = handle;
    request->kind = (uint8_t)kind;
    request->linked = true;
    request->comm = comm;
    if (comm)
        sca_comm_use(comm);
    insert(request);
    if (++followed > 2 * FEW && buckets == few)
        take_large_table();
    return request;
}

void sca_requests_cancel(sca_word handle)
{
    sca_guard_lock();
    struct sca_request *request = sca_requests_find(handle);
    if (request) {
        request->cancelled = true;
        if (request->receive)
            sca_receive_cancel(request->receive);
        if (request->channel)
            sca_channel_taint(request->channel, request->number);
    }
    sca_guard_unlock();
}

void sca_requests_give_up(struct sca_request *request)
{
    if (request->receive)
        sca_receive_lose(request->receive);
    sca_requests_forget(request);
}

void sca_requests_free(sca_word handle)
{
    sca_guard_lock();
    struct sca_request *request = sca_requests_find(handle);
    if (request)
        sca_requests_give_up(request);
    sca_guard_unlock();
}
