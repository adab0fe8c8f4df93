#include "calls/comm_record.h"
#include "arena/arena.h"
#include "base/hot.h"
#include "mpi/abi.h"

static int32_t self SCA_HOT;
static uint32_t overflow = SCA_NONE; /* the record of all that had no room */

void sca_comm_record_set_self(int32_t rank)
{
    self = rank;
}

int32_t sca_comm_record_world_rank(const struct sca_communicator *comm, int rank)
{
    if (rank < 0 || (uint32_t)rank >= comm->peers)
        return -1;
    return comm->world ? comm->world[rank] : rank;
}

int32_t sca_comm_record_self(void)
{
    return self;
}

static void put_topology(struct sca_part_comm *at, const struct sca_communicator *comm)
{
    uint32_t text = comm && comm->topology ? sca_arena_string(comm->topology) : 0;
    if (text != SCA_NONE)
        at->topology = text;
}

static SCA_COLD uint32_t record(const struct sca_communicator *comm, const char *kind)
{
    struct sca_part_comm *at = sca_arena_next(SCA_T_COMMS);
    if (!at)
        return SCA_NONE;
    uint32_t name = sca_arena_string(kind);
    at->id = comm ? comm->id : 0;
    at->size = comm ? comm->size : 0;
    at->rank = comm ? comm->rank : 0;
    at->kind = name == SCA_NONE ? 0 : name;
    put_topology(at, comm);
    return sca_arena_commit(SCA_T_COMMS);
}

static const char *kind_of(const struct sca_communicator *comm)
{
    if (comm->handle == sca_abi.comm_world)
        return "MPI_COMM_WORLD";
    if (comm->handle == sca_abi.comm_self)
        return "MPI_COMM_SELF";
    return comm->maker < SCA_FN_ALL ? sca_function_name(comm->maker) : "unknown";
}

uint32_t sca_comm_record_index(struct sca_communicator *comm)
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

void sca_comm_record_early(struct sca_communicator *comm)
{
    uint32_t most = sca_arena_header()->table[SCA_T_COMMS].capacity / (comm->topology ? 2 : 16);
    if (sca_arena_count(SCA_T_COMMS) < most)
        sca_comm_record_index(comm);
}

void sca_comm_record_topology(const struct sca_communicator *comm)
{
    struct sca_part_comm *all = sca_arena_table(SCA_T_COMMS);
    if (comm->index != SCA_NONE && comm->index != overflow)
        put_topology(&all[comm->index], comm);
}
