#include "comm.h"
#include "abi.h"
#include "arena.h"
#include "channel.h"
#include "guard.h"
#include "hash.h"
#include "pool.h"
#include "collective.h"
#include "requests.h"
#include "topology.h"
#include <string.h>

enum { BUCKETS = 512, COMBINATIONS = 4096, TEXT = 128 /* of a topology */ };

static struct sca_communicator *buckets[BUCKETS];
static sca_word world_group;
static int32_t self;
static uint32_t overflow = SCA_NONE; /* the record of all that had no room */

static struct {
    uint64_t key;
    uint32_t times;
} combinations[COMBINATIONS];

static struct sca_communicator **bucket_of(sca_word handle)
{
    return &buckets[sca_mix(0, handle) % BUCKETS];
}

/* How often this combination was made before; -1 when too many different ones are. */
static int64_t occurrence(uint64_t key)
{
    for (unsigned i = 0; i < 64; i++) {
        unsigned at = (unsigned)(key + i) % COMBINATIONS;
        if (!combinations[at].times)
            combinations[at].key = key;
        if (combinations[at].key == key)
            return combinations[at].times++;
    }
    return -1;
}

struct members {
    uint64_t hash;
    uint32_t size;
    int32_t *world; /* pool; NULL when the ranks are the world's own */
    bool foreign;   /* some are not in this world */
};

static bool summarize(struct members *m, int32_t *ranks)
{
    bool identity = true;
    m->hash = m->size;
    for (uint32_t i = 0; i < m->size; i++) {
        identity = identity && ranks[i] == (int32_t)i;
        if (ranks[i] == sca_abi.undefined) {
            m->foreign = true;
            ranks[i] = -1;
        }
        m->hash = sca_mix(m->hash, (uint32_t)ranks[i]);
    }
    return identity;
}

static int translate(sca_word group, struct members *m)
{
    size_t bytes = m->size * sizeof(int32_t);
    int32_t *from = sca_pool_alloc(bytes), *to = sca_pool_alloc(bytes);
    int failed = !from || !to;
    if (!failed) {
        for (uint32_t i = 0; i < m->size; i++)
            from[i] = (int32_t)i;
        failed = sca_mpi.group_translate_ranks(group, (int)m->size, from, world_group, to) != 0;
    }
    sca_pool_free(from, bytes);
    if (failed || summarize(m, to)) {
        sca_pool_free(to, bytes);
        return failed ? -1 : 0;
    }
    m->world = to;
    return 0;
}

static int members_of(sca_word handle, bool remote, struct members *m)
{
    sca_word group = 0;
    int size = 0;
    memset(m, 0, sizeof *m);
    if ((remote ? sca_mpi.comm_remote_group : sca_mpi.comm_group)(handle, &group) != 0)
        return -1;
    int failed = sca_mpi.group_size(group, &size) != 0 || size <= 0;
    m->size = failed ? 0 : (uint32_t)size;
    if (!failed)
        failed = translate(group, m) < 0;
    sca_mpi.group_free(&group);
    return failed ? -1 : 0;
}

static void insert(struct sca_communicator *comm)
{
    struct sca_communicator **bucket = bucket_of(comm->handle);
    sca_state_lock();
    comm->next = *bucket;
    *bucket = comm;
    sca_state_unlock();
}

/* Both sides of an inter-communicator must come to the same hash. */
static uint64_t both_sides(uint64_t a, uint64_t b)
{
    return a < b ? sca_mix(a, b) : sca_mix(b, a);
}

/* World and self have none. */
static void describe(struct sca_communicator *comm)
{
    char text[TEXT];
    if (comm->inter || comm->maker == SCA_FN_Init)
        return;
    sca_topology_describe(comm->handle, (int)comm->rank, text, sizeof text);
    if (*text && (comm->topology = sca_pool_alloc(TEXT)))
        memcpy(comm->topology, text, TEXT);
}

const struct sca_neighbours *sca_comm_neighbours(struct sca_communicator *comm)
{
    if (!comm->near)
        comm->near = sca_topology_neighbours(comm->handle, (int)comm->rank);
    return comm->near;
}

/* `basis` 0: no agreement possible. */
static struct sca_communicator *make(sca_word handle, uint64_t basis, unsigned maker)
{
    struct members own, remote = {0};
    int inter = 0, rank = 0;
    struct sca_communicator *comm = sca_pool_alloc(sizeof *comm);
    if (!comm)
        return NULL;
    sca_mpi.comm_test_inter(handle, &inter);
    sca_mpi.comm_rank(handle, &rank);
    bool failed =
        members_of(handle, false, &own) < 0 || (inter && members_of(handle, true, &remote) < 0);
    uint64_t key = sca_mix(basis, inter ? both_sides(own.hash, remote.hash) : own.hash);
    struct members *peers = inter ? &remote : &own;
    *comm = (struct sca_communicator){.handle = handle,
                                      .index = SCA_NONE,
                                      .size = own.size,
                                      .rank = (uint32_t)rank,
                                      .peers = peers->size,
                                      .world = peers->world,
                                      .inter = inter,
                                      .maker = (uint16_t)maker};
    if (inter)
        sca_pool_free(own.world, own.size * sizeof(int32_t));
    if (basis && !failed && !own.foreign && !remote.foreign) {
        sca_state_lock();
        int64_t times = occurrence(key);
        comm->id = times < 0 ? 0 : sca_mix(key, (uint64_t)times) | 1;
        sca_state_unlock();
    }
    describe(comm);
    insert(comm);
    return comm;
}

static struct sca_communicator *known(sca_word handle)
{
    sca_state_lock();
    struct sca_communicator *comm = *bucket_of(handle);
    while (comm && comm->handle != handle)
        comm = comm->next;
    sca_state_unlock();
    return comm;
}

struct sca_communicator *sca_comm_find(sca_word argument)
{
    sca_word handle = sca_handle(argument);
    struct sca_communicator *comm = known(handle);
    return comm ? comm : make(handle, 0, SCA_FN_COUNT);
}

int sca_comm_begin(void)
{
    int rank = 0;
    if (sca_mpi.comm_group(sca_abi.comm_world, &world_group) != 0 ||
        sca_mpi.comm_rank(sca_abi.comm_world, &rank) != 0)
        return -1;
    self = rank;
    struct sca_communicator *world = make(sca_abi.comm_world, 1, SCA_FN_Init);
    bool has_self = sca_abi.comm_self != sca_abi.comm_null; /* sessions have none */
    if (!world || (has_self && !make(sca_abi.comm_self, 2, SCA_FN_Init)))
        return -1;
    sca_state_lock();
    sca_comm_index(world);
    sca_state_unlock();
    return 0;
}

int32_t sca_comm_world_rank(const struct sca_communicator *comm, int rank)
{
    if (rank < 0 || (uint32_t)rank >= comm->peers)
        return -1;
    return comm->world ? comm->world[rank] : rank;
}

int32_t sca_comm_self(void)
{
    return self;
}

static uint32_t record(const struct sca_communicator *comm, const char *kind)
{
    struct sca_part_comm *at = sca_arena_next(SCA_T_COMMS);
    if (!at)
        return SCA_NONE;
    uint32_t name = sca_arena_string(kind);
    at->id = comm ? comm->id : 0;
    at->size = comm ? comm->size : 0;
    at->rank = comm ? comm->rank : 0;
    at->kind = name == SCA_NONE ? 0 : name;
    name = comm && comm->topology ? sca_arena_string(comm->topology) : 0;
    at->topology = name == SCA_NONE ? 0 : name;
    return sca_arena_commit(SCA_T_COMMS);
}

static const char *kind_of(const struct sca_communicator *comm)
{
    if (comm->handle == sca_abi.comm_world)
        return "MPI_COMM_WORLD";
    if (comm->handle == sca_abi.comm_self)
        return "MPI_COMM_SELF";
    return comm->maker < SCA_FN_COUNT ? sca_function_name(comm->maker) : "unknown";
}

uint32_t sca_comm_index(struct sca_communicator *comm)
{
    if (comm->index != SCA_NONE)
        return comm->index;
    const struct sca_part_header *header = sca_arena_header();
    uint32_t left = header->table[SCA_T_COMMS].capacity - sca_arena_count(SCA_T_COMMS);
    if (left > 1)
        comm->index = record(comm, kind_of(comm));
    else if (overflow == SCA_NONE)
        overflow = record(NULL, "others");
    if (comm->index == SCA_NONE)
        comm->index = overflow;
    return comm->index;
}

void sca_comm_use(struct sca_communicator *comm)
{
    comm->users++;
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

void sca_comm_unuse(struct sca_communicator *comm)
{
    if (--comm->users == 0 && comm->freed)
        dispose(comm);
}

void sca_on_comm_free(sca_word handle)
{
    sca_state_lock();
    struct sca_communicator **at = bucket_of(handle);
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    struct sca_communicator *comm = *at;
    if (comm) {
        *at = comm->next;
        comm->freed = true;
        if (!comm->users)
            dispose(comm);
    }
    sca_state_unlock();
}

/* A handle that is in use again was freed where no wrapper saw it. */
static void register_new(sca_word handle, uint64_t basis, unsigned maker)
{
    if (handle == sca_abi.comm_null)
        return;
    if (known(handle))
        sca_on_comm_free(handle);
    make(handle, basis, maker);
}

static uint64_t basis_of(uint64_t parent_id, unsigned function, int tag)
{
    return parent_id ? sca_mix(sca_mix(parent_id, function), (uint32_t)tag) | 1 : 0;
}

void sca_on_newcomm(struct sca_call *call, sca_word parent, sca_word address, int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent);
    sca_on_collective(call, SCA_ALL_TO_ALL, SCA_NO_ROOT, parent, 0, SCA_PER_CALL, SCA_NOW, 0);
    if (from)
        register_new(sca_comm_at(address, fortran), basis_of(from->id, call->function, 0),
                     call->function);
}

/* Where the parent's other members take no part, those of the new one meet. */
static void meet_on(struct sca_call *call, sca_word handle)
{
    struct sca_communicator *fresh = handle != sca_abi.comm_null ? known(handle) : NULL;
    if (fresh)
        sca_on_meeting(call, fresh);
}

void sca_on_newcomm_group(struct sca_call *call, sca_word parent, int tag, sca_word address,
                          int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent);
    if (from)
        register_new(sca_comm_at(address, fortran), basis_of(from->id, call->function, tag),
                     call->function);
    meet_on(call, sca_comm_at(address, fortran));
}

void sca_on_newcomm_set(struct sca_call *call, sca_word address, int fortran)
{
    register_new(sca_comm_at(address, fortran), basis_of(3, call->function, 0), call->function);
}

void sca_on_newcomm_other(struct sca_call *call, sca_word address, int fortran)
{
    register_new(sca_comm_at(address, fortran), 0, call->function);
}

/* The two sides come from different communicators: only members and tag are common. */
void sca_on_intercomm(struct sca_call *call, sca_word parent, int tag, sca_word address,
                      int fortran)
{
    sca_on_collective(call, SCA_ALL_TO_ALL, SCA_NO_ROOT, parent, 0, SCA_PER_CALL, SCA_NOW, 0);
    register_new(sca_comm_at(address, fortran), basis_of(4, call->function, tag), call->function);
}

void sca_on_idup(struct sca_call *call, sca_word parent, sca_word address, sca_word request,
                 int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent);
    sca_on_collective(call, SCA_ALL_TO_ALL, SCA_NO_ROOT, parent, 0, SCA_PER_CALL, SCA_NOW, 0);
    sca_request_idup(request, call->function, from ? from->id : 0, address, fortran);
}

void sca_comm_idup_done(unsigned function, uint64_t parent_id, sca_word address, int fortran)
{
    register_new(sca_comm_at(address, fortran), basis_of(parent_id, function, 0), function);
}
