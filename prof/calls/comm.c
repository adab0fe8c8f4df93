#include "calls/comm.h"
#include "mpi/abi.h"
#include "calls/comm_name.h"
#include "calls/channel.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/pool.h"
#include "base/keyed.h"
#include "calls/worlds.h"
#include "mpi/topology.h"
#include <stdio.h>
#include <string.h>

enum { TEXT = 640 /* of a topology */ };

static struct sca_table table SCA_HOT_TABLE;
static struct sca_communicator *latest SCA_HOT; /* asked for last */
static bool any_foreign SCA_HOT;
uint32_t sca_comm_age SCA_HOT = 1;

/* Of a graph, whom this rank sends to, by their ranks in the world; nobody where there are more
 * than a reader takes. */
static void append_neighbours(struct sca_communicator *comm, char *text)
{
    const struct sca_neighbours *near = sca_comm_neighbours(comm);
    size_t used = strlen(text);
    if (!near || !near->out || near->out > SCA_MOST_DIMENSIONS)
        return;
    for (uint32_t i = 0; i < near->out && used < TEXT; i++)
        used += (size_t)snprintf(text + used, TEXT - used, "%s%d", i ? "," : " to ",
                                 sca_comm_record_world_rank(comm, near->ranks[i]));
}

/* World and self have none. */
static void describe(struct sca_communicator *comm, const struct sca_origin *origin)
{
    char text[TEXT] = "";
    if (comm->foreign)
        sca_worlds_describe(comm, origin->worlds, text, sizeof text);
    else if (!comm->inter && comm->maker != SCA_FN_Init)
        sca_topology_describe(comm->handle, (int)comm->rank, text, sizeof text);
    if (strstr(text, "graph"))
        append_neighbours(comm, text);
    if (*text && (comm->topology = sca_pool_alloc(TEXT)))
        memcpy(comm->topology, text, TEXT);
}

const struct sca_neighbours *sca_comm_neighbours(struct sca_communicator *comm)
{
    if (!comm->near)
        comm->near = sca_topology_neighbours(comm->handle, (int)comm->rank);
    return comm->near;
}

static uint64_t name_of(const struct sca_origin *origin, uint64_t members)
{
    sca_guard_lock();
    uint64_t name = origin->name ? origin->name : sca_comm_name(origin->basis, members);
    sca_guard_unlock();
    return name;
}

static void dispose(struct sca_communicator *comm)
{
    sca_channel_drop_all(comm);
    if (comm->world)
        sca_pool_free(comm->world, comm->peers * sizeof(int32_t));
    sca_pool_free(comm->topology, TEXT);
    sca_topology_free(comm->near);
    sca_pool_free(comm, sizeof *comm);
}

/* NULL without memory: it is gone again. */
static struct sca_communicator *insert(struct sca_communicator *comm)
{
    sca_guard_lock();
    if (!sca_table_add(&table, comm)) {
        dispose(comm);
        comm = NULL;
    }
    sca_guard_unlock();
    return comm;
}

static SCA_COLD struct sca_communicator *make(sca_word handle, const struct sca_origin *origin)
{
    struct sca_members own, remote = {0};
    int inter = 0, rank = 0;
    struct sca_communicator *comm = sca_pool_alloc(sizeof *comm);
    if (!comm)
        return NULL;
    sca_mpi.comm_test_inter(handle, &inter);
    sca_mpi.comm_rank(handle, &rank);
    bool failed = sca_comm_name_members(handle, false, &own) < 0 ||
                  (inter && sca_comm_name_members(handle, true, &remote) < 0);
    struct sca_members *peers = inter ? &remote : &own;
    *comm = (struct sca_communicator){.handle = handle,
                                      .index = SCA_NONE,
                                      .size = own.size,
                                      .rank = (uint32_t)rank,
                                      .peers = peers->size,
                                      .world = peers->world,
                                      .inter = inter,
                                      .foreign = own.foreign || remote.foreign,
                                      .maker = (uint16_t)origin->function};
    any_foreign |= comm->foreign;
    if (!failed)
        comm->id = name_of(origin, inter ? sca_comm_name_members_both(&own, &remote) : own.hash);
    if (inter)
        sca_comm_name_members_free(&own);
    describe(comm, origin);
    return insert(comm);
}

/* State lock held. */
static inline struct sca_communicator *known(sca_word handle)
{
    struct sca_communicator *comm = latest;
    if (__builtin_expect(!comm || comm->handle != handle, 0))
        latest = comm = sca_table_find(&table, handle);
    return comm;
}

/* MPI is asked without the lock. */
static SCA_COLD struct sca_communicator *meet(sca_word handle)
{
    sca_guard_unlock();
    struct sca_communicator *comm = make(handle, &(struct sca_origin){.function = SCA_FN_ALL});
    if (comm)
        sca_guard_lock();
    return comm;
}

struct sca_communicator *sca_comm_lock(sca_word argument)
{
    sca_word handle = sca_abi_handle(argument);
    sca_guard_lock();
    struct sca_communicator *comm = known(handle);
    return __builtin_expect(comm != NULL, 1) ? comm : meet(handle);
}

struct sca_communicator *sca_comm_find(sca_word argument)
{
    struct sca_communicator *comm = sca_comm_lock(argument);
    if (comm)
        sca_guard_unlock();
    return comm;
}

bool sca_comm_any_foreign(void)
{
    return any_foreign;
}

/* Who started this world: the communicator is there from the beginning. */
static void find_parent(const struct sca_communicator *world)
{
    sca_word parent = sca_abi.comm_null;
    if (!sca_mpi.comm_get_parent || sca_abi.comm_self == sca_abi.comm_null ||
        sca_mpi.comm_get_parent(&parent) || (parent = sca_abi_handle(parent)) == sca_abi.comm_null)
        return;
    const struct sca_worlds_meeting worlds = {.tells = world->rank == 0};
    make(parent,
         &(struct sca_origin){.basis = sca_comm_name_basis(world->id, SCA_FN_Comm_get_parent, 0),
                              .function = SCA_FN_Comm_get_parent,
                              .worlds = &worlds});
}

int sca_comm_begin(void)
{
    int rank = 0;
    if (sca_comm_name_begin() < 0 || sca_mpi.comm_rank(sca_abi.comm_world, &rank) != 0)
        return -1;
    sca_comm_record_set_self(rank);
    struct sca_communicator *world =
        make(sca_abi.comm_world, &(struct sca_origin){.basis = 1, .function = SCA_FN_Init});
    bool has_self = sca_abi.comm_self != sca_abi.comm_null; /* sessions have none */
    if (!world || (has_self && !make(sca_abi.comm_self,
                                     &(struct sca_origin){.basis = 2, .function = SCA_FN_Init})))
        return -1;
    sca_guard_lock();
    sca_comm_record_index(world);
    sca_guard_unlock();
    find_parent(world);
    return 0;
}

void sca_comm_use(struct sca_communicator *comm)
{
    comm->users++;
}

void sca_comm_unuse(struct sca_communicator *comm)
{
    if (--comm->users == 0 && comm->freed)
        dispose(comm);
}

void sca_comm_free(sca_word handle)
{
    sca_guard_lock();
    struct sca_communicator *comm = sca_table_find(&table, handle);
    if (comm) {
        sca_table_remove(&table, comm);
        latest = NULL;
        __atomic_fetch_add(&sca_comm_age, 1, __ATOMIC_RELAXED);
        comm->freed = true;
        if (!comm->users)
            dispose(comm);
    }
    sca_guard_unlock();
}

struct sca_communicator *sca_comm_register(sca_word handle, const struct sca_origin *origin)
{
    if (handle == sca_abi.comm_null)
        return NULL;
    if (known(handle))
        sca_comm_free(handle);
    struct sca_communicator *comm = make(handle, origin);
    if (comm) {
        sca_guard_lock();
        sca_comm_record_early(comm);
        sca_guard_unlock();
    }
    return comm;
}

/* Behind what MPI says of the topology, instead of an earlier name. */
void sca_comm_call_it(sca_word argument, const char *name, size_t length)
{
    static const char label[] = " name ";
    struct sca_communicator *comm = sca_comm_find(argument);
    if (!comm || !comm->topology)
        return;
    while (length && name[length - 1] == ' ') /* Fortran's texts end in blanks */
        length--;
    sca_guard_lock();
    char *end = strstr(comm->topology, label);
    size_t used = end ? (size_t)(end - comm->topology) : strlen(comm->topology);
    if (used + strlen(label) + length < TEXT) {
        memcpy(comm->topology + used, label, strlen(label));
        memcpy(comm->topology + used + strlen(label), name, length);
        comm->topology[used + (length ? strlen(label) + length : 0)] = '\0';
        sca_comm_record_topology(comm);
    }
    sca_guard_unlock();
}
