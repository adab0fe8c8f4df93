#include "calls/requests.h"
#include "calls/receive.h"
#include "mpi/abi.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/pool.h"
#include "base/keyed.h"
#include "calls/comm.h"

enum { IN_CACHES = 1 << 12 };

static struct sca_table table SCA_HOT_TABLE;
static volatile unsigned followed SCA_HOT;

bool sca_requests_any(void)
{
    return followed;
}

bool sca_requests_far(void)
{
    return table.count > IN_CACHES;
}

void sca_requests_expect(sca_word handle)
{
    if (__builtin_expect(sca_requests_far(), 0))
        sca_table_expect(&table, handle);
}

void sca_requests_fetch(sca_word handle)
{
    sca_table_fetch(&table, handle);
}

struct sca_request *sca_requests_find(sca_word handle)
{
    struct sca_request *request = sca_table_find(&table, handle);
    return request && !request->common ? request : NULL;
}

void sca_requests_unlink(struct sca_request *request)
{
    sca_table_remove(&table, request);
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

static struct sca_request *make(sca_word handle, enum sca_request_kind kind)
{
    struct sca_request *request = sca_pool_alloc(sizeof *request);
    if (!request)
        return NULL;
    request->handle = handle;
    request->kind = (uint8_t)kind;
    request->linked = sca_table_add(&table, request);
    if (request->linked)
        return request;
    sca_pool_free(request, sizeof *request);
    return NULL;
}

struct sca_request *sca_requests_add(sca_word handle, enum sca_request_kind kind,
                                     struct sca_communicator *comm)
{
    if (handle == sca_abi.request_null || (handle && handle == sca_abi.request_empty))
        return NULL;
    struct sca_request *old = sca_table_find(&table, handle);
    if (old && is_common(old, kind))
        return NULL;
    if (old && old->held)
        sca_requests_unlink(old);
    else if (old)
        sca_requests_forget(old);
    struct sca_request *request = make(handle, kind);
    if (!request && comm && kind == SCA_REQUEST_RECV)
        comm->receives_lost = true;
    if (!request)
        return NULL;
    request->comm = comm;
    if (comm)
        sca_comm_use(comm);
    followed++;
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
