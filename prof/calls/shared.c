#include "calls/shared.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/one_sided.h"
#include "calls/present_call.h"
#include "base/guard.h"
#include "base/pool.h"
#include "base/keyed.h"

struct shared {
    uint64_t handle; /* the key in the table */
    struct sca_communicator *comm;
    struct sca_one_sided sided; /* of a window */
};

static struct sca_table table;

/* NULL if there is none. State lock held. */
static struct sca_communicator *forget(sca_word handle)
{
    struct shared *gone = sca_table_find(&table, handle);
    if (!gone)
        return NULL;
    struct sca_communicator *comm = gone->comm;
    sca_table_remove(&table, gone);
    sca_one_sided_end(&gone->sided);
    sca_pool_free(gone, sizeof *gone);
    return comm;
}

/* A handle that is in use again was given back where no wrapper saw it. */
static void remember(sca_word handle, struct sca_communicator *comm)
{
    struct shared *fresh = sca_pool_alloc(sizeof *fresh);
    if (!fresh)
        return;
    sca_guard_lock();
    struct sca_communicator *before = forget(handle);
    *fresh = (struct shared){.handle = handle, .comm = comm};
    sca_one_sided_begin(&fresh->sided, comm);
    if (sca_table_add(&table, fresh))
        sca_comm_use(comm);
    else
        sca_pool_free(fresh, sizeof *fresh);
    if (before)
        sca_comm_unuse(before);
    sca_guard_unlock();
}

void sca_shared_new(struct sca_call *call, sca_word handle, sca_word comm)
{
    struct sca_communicator *c = sca_comm_find(comm);
    if (!c)
        return;
    sca_collective_meet(call, c);
    if (handle)
        remember(handle, c);
}

struct sca_one_sided *sca_shared_window(sca_word handle)
{
    sca_guard_lock();
    struct shared *found = sca_table_find(&table, handle);
    sca_guard_unlock();
    return found ? &found->sided : NULL;
}

void sca_shared_present(sca_word handle)
{
    struct sca_part_awaited all = {SCA_AWAITS_COLLECTIVE + SCA_ALL_TO_ALL, SCA_NONE, -1, 0};
    sca_thread.in_tool++;
    sca_guard_lock();
    const struct shared *found = sca_table_find(&table, handle);
    struct sca_communicator *comm = found && !found->comm->inter ? found->comm : NULL;
    if (comm) {
        all.comm = sca_paused ? comm->index : sca_comm_record_index(comm);
        all.tag = (int32_t)comm->collectives;
    }
    sca_guard_unlock();
    sca_thread.in_tool--;
    if (all.comm != SCA_NONE)
        sca_present_tell(0, all);
}

void sca_shared_meet(struct sca_call *call, sca_word handle)
{
    sca_guard_lock();
    const struct shared *found = sca_table_find(&table, handle);
    struct sca_communicator *comm = found ? found->comm : NULL;
    sca_guard_unlock();
    if (comm)
        sca_collective_meet(call, comm);
}

struct sca_communicator *sca_shared_take(sca_word handle)
{
    sca_guard_lock();
    struct sca_communicator *comm = forget(handle);
    sca_guard_unlock();
    return comm;
}

void sca_shared_end(struct sca_call *call, struct sca_communicator *comm, bool ok)
{
    if (!comm)
        return;
    if (ok)
        sca_collective_meet(call, comm);
    sca_guard_lock();
    sca_comm_unuse(comm);
    sca_guard_unlock();
}
