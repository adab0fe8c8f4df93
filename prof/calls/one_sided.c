#include "calls/one_sided.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/pool.h"
#include "calls/channel.h"
#include "calls/collective.h"
#include "calls/comm_name.h"
#include "calls/present_call.h"
#include "calls/receive.h"
#include "calls/traffic.h"
#include "mpi/abi.h"
#include "windows/window.h"

enum { MOST_WINDOWS = 256 }; /* MPI's communicators need room, too */
enum { TAG_BEGINS, TAG_ENDED };

void sca_one_sided_begin(struct sca_one_sided *of, const struct sca_communicator *comm)
{
    of->ranks = (struct sca_communicator){.id = comm->id,
                                          .index = SCA_NONE,
                                          .size = comm->size,
                                          .rank = comm->rank,
                                          .peers = comm->peers,
                                          .world = comm->world,
                                          .maker = SCA_FN_Win_create};
    if (comm->id)
        of->ranks.id = sca_hash_mix(sca_hash_mix(comm->id, SCA_FN_Win_create), comm->collectives);
}

static void drop(struct sca_epoch *epoch)
{
    for (uint32_t i = 0; epoch->awaits && i < epoch->n; i++)
        if (epoch->awaits[i])
            sca_receive_drop(epoch->awaits[i]);
    sca_pool_free(epoch->with, epoch->n * sizeof *epoch->with);
    sca_pool_free(epoch->awaits, epoch->n * sizeof(struct sca_receive *));
    *epoch = (struct sca_epoch){0};
}

void sca_one_sided_end(struct sca_one_sided *of)
{
    drop(&of->access);
    drop(&of->exposure);
    sca_channel_drop_all(&of->ranks);
}

/* With the state lock; NULL, and without it: nobody knows it by a name. */
static struct sca_one_sided *lock_window(struct sca_one_sided *of)
{
    static unsigned known;
    sca_guard_lock();
    bool fresh = of && of->ranks.index == SCA_NONE;
    if (of && of->ranks.id && !(fresh && known == MOST_WINDOWS) &&
        sca_comm_record_index(&of->ranks) != SCA_NONE) {
        known += fresh;
        return of;
    }
    sca_guard_unlock();
    return NULL;
}

/* ---- locks ---- */

static void note_lock(struct sca_call *call, struct sca_one_sided *of, int target,
                      enum sca_lock_shape shape)
{
    struct sca_op op = {.kind = SCA_OP_LOCK,
                        .shape = (uint8_t)shape,
                        .comm = sca_comm_record_index(&of->ranks),
                        .peer = sca_comm_record_world_rank(&of->ranks, target),
                        .number = of->nlocks++};
    if (op.peer < 0)
        return;
    sca_window_op(&op);
    if (shape != SCA_LOCK_SHARED)
        sca_collective_book(call, &of->ranks, op.peer);
}

static void note_all(struct sca_one_sided *window, enum sca_lock_shape shape)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return;
    struct sca_op op = {.kind = SCA_OP_LOCK,
                        .shape = (uint8_t)shape,
                        .comm = sca_comm_record_index(&of->ranks),
                        .peer = -1,
                        .number = of->nlocks++};
    sca_window_op(&op);
    sca_guard_unlock();
}

void sca_one_sided_lock_all(struct sca_one_sided *window)
{
    note_all(window, SCA_LOCK_SHARED_ALL);
}

void sca_one_sided_unlock_all(struct sca_one_sided *window)
{
    note_all(window, SCA_LOCK_RELEASE_ALL);
}

int32_t sca_one_sided_world_rank(const struct sca_one_sided *window, int target)
{
    return window ? sca_comm_record_world_rank(&window->ranks, target) : -1;
}

uint64_t sca_one_sided_note(struct sca_one_sided *window, const struct sca_op *op)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return SCA_NO_OP;
    struct sca_op noted = *op;
    noted.kind = SCA_OP_LOCK;
    noted.comm = sca_comm_record_index(&of->ranks);
    noted.peer = sca_comm_record_world_rank(&of->ranks, op->peer);
    uint64_t id = noted.peer < 0 ? SCA_NO_OP : sca_window_op(&noted);
    sca_guard_unlock();
    return id;
}

void sca_one_sided_lock(struct sca_call *call, int type, int target, struct sca_one_sided *window)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return;
    note_lock(call, of, target,
              type == sca_abi.lock_exclusive ? SCA_LOCK_EXCLUSIVE : SCA_LOCK_SHARED);
    sca_guard_unlock();
}

void sca_one_sided_unlock(struct sca_call *call, int target, struct sca_one_sided *window)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return;
    note_lock(call, of, target, SCA_LOCK_RELEASE);
    sca_guard_unlock();
}

/* ---- epochs ---- */

/* State lock held. */
static void open_epoch(struct sca_epoch *epoch, struct sca_members *group)
{
    drop(epoch);
    epoch->n = group->size;
    epoch->with = group->world;
    group->world = NULL;
    epoch->awaits = sca_pool_alloc(epoch->n * sizeof(struct sca_receive *));
    if (!epoch->with || !epoch->awaits)
        drop(epoch);
}

static void await_all(const struct sca_call *call, struct sca_one_sided *of,
                      struct sca_epoch *epoch, int32_t tag)
{
    for (uint32_t i = 0; i < epoch->n; i++)
        epoch->awaits[i] = sca_receive_post(&of->ranks, epoch->with[i], tag, call);
}

static void hear_all(struct sca_call *call, struct sca_one_sided *of, struct sca_epoch *epoch,
                     int32_t tag)
{
    for (uint32_t i = 0; i < epoch->n; i++) {
        if (!epoch->awaits[i])
            continue;
        sca_receive_complete(epoch->awaits[i], call, epoch->with[i], tag, 0);
        sca_traffic_received(call, &of->ranks, epoch->with[i], 0);
        epoch->awaits[i] = NULL;
    }
}

static void tell_all(struct sca_call *call, struct sca_one_sided *of, const struct sca_epoch *epoch,
                     int32_t tag)
{
    uint64_t number;
    for (uint32_t i = 0; i < epoch->n; i++)
        sca_traffic_post(call, &of->ranks, epoch->with[i], tag, 0, &number);
}

/* With the state lock, or NULL and without. Asks MPI first. */
static struct sca_one_sided *lock_for_group(sca_word group, struct sca_one_sided *window,
                                            struct sca_members *members)
{
    if (sca_comm_name_group(group, members) < 0)
        return NULL;
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        sca_comm_name_members_free(members);
    return of;
}

void sca_one_sided_post(struct sca_call *call, sca_word group, struct sca_one_sided *window)
{
    struct sca_members members;
    struct sca_one_sided *of = lock_for_group(group, window, &members);
    if (!of)
        return;
    open_epoch(&of->exposure, &members);
    tell_all(call, of, &of->exposure, TAG_BEGINS);
    await_all(call, of, &of->exposure, TAG_ENDED);
    sca_guard_unlock();
}

void sca_one_sided_start(struct sca_call *call, sca_word group, struct sca_one_sided *window)
{
    struct sca_members members;
    struct sca_one_sided *of = lock_for_group(group, window, &members);
    if (!of)
        return;
    open_epoch(&of->access, &members);
    await_all(call, of, &of->access, TAG_BEGINS);
    hear_all(call, of, &of->access, TAG_BEGINS);
    sca_guard_unlock();
}

void sca_one_sided_complete(struct sca_call *call, struct sca_one_sided *window)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return;
    tell_all(call, of, &of->access, TAG_ENDED);
    drop(&of->access);
    sca_guard_unlock();
}

void sca_one_sided_present(struct sca_one_sided *window)
{
    struct sca_part_present *present = sca_thread.present;
    sca_thread.in_tool++;
    struct sca_one_sided *of = lock_window(window);
    uint32_t n = of ? of->exposure.n : 0;
    for (uint32_t i = 0; i < n && i < SCA_PRESENT_AWAITED; i++)
        present->awaited[i] = (struct sca_part_awaited){
            SCA_AWAITS_SENDER, sca_comm_record_index(&of->ranks), of->exposure.with[i], TAG_ENDED};
    if (of)
        sca_guard_unlock();
    sca_thread.in_tool--;
    present->nawaited = n;
    if (n)
        __atomic_store_n(&present->detail, present->turn, __ATOMIC_RELEASE);
}

void sca_one_sided_wait(struct sca_call *call, struct sca_one_sided *window)
{
    struct sca_one_sided *of = lock_window(window);
    if (!of)
        return;
    hear_all(call, of, &of->exposure, TAG_ENDED);
    drop(&of->exposure);
    sca_guard_unlock();
}
