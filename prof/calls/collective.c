#include "calls/collective.h"
#include "mpi/abi.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "calls/requests.h"
#include "mpi/topology.h"
#include "windows/window.h"
#include "calls/comm.h"

/* What a collective looks like in a window. */
struct action {
    struct sca_communicator *comm;
    int shape;
    int32_t root; /* world rank, -1: none */
    uint64_t number, bytes;
};

static void note(const struct action *a, enum sca_op_kind kind)
{
    struct sca_op op = {.kind = (uint8_t)kind,
                        .shape = (uint8_t)a->shape,
                        .comm = sca_comm_record_index(a->comm),
                        .peer = a->root,
                        .number = a->number,
                        .bytes = a->bytes};
    if (a->comm->id && a->shape <= SCA_PREFIX)
        sca_window_op(&op);
}

static void note_neighbour(const struct action *a, int rank, enum sca_op_kind kind)
{
    struct sca_op op = {.kind = (uint8_t)kind,
                        .comm = sca_comm_record_index(a->comm),
                        .peer = sca_comm_record_world_rank(a->comm, rank),
                        .tag = SCA_TAG_NEIGHBOUR,
                        .number = a->number};
    if (rank != sca_abi.proc_null && op.peer >= 0)
        sca_window_op(&op);
}

/* Nobody waits for more than the neighbours: a message to each, and one from each. */
static void note_neighbours(const struct action *a, bool begins, bool ends)
{
    const struct sca_neighbours *n = a->comm->near;
    if (!n || !a->comm->id)
        return;
    for (uint32_t i = 0; begins && i < n->out; i++)
        note_neighbour(a, n->ranks[i], SCA_OP_SEND);
    for (uint32_t i = 0; begins && i < n->in; i++)
        note_neighbour(a, n->ranks[n->out + i], SCA_OP_RECV_POST);
    for (uint32_t i = 0; ends && i < n->in; i++)
        note_neighbour(a, n->ranks[n->out + i], SCA_OP_RECV);
}

static void note_whole(const struct action *a)
{
    if (a->shape == SCA_NEAR)
        note_neighbours(a, true, true);
    else
        note(a, SCA_OP_COLLECTIVE);
}

static void note_begin(const struct action *a)
{
    if (a->shape == SCA_NEAR)
        note_neighbours(a, true, false);
    else
        note(a, SCA_OP_COLLECTIVE_POST);
}

static void note_end(const struct action *a)
{
    if (a->shape == SCA_NEAR)
        note_neighbours(a, false, true);
    else
        note(a, SCA_OP_COLLECTIVE_DONE);
}

/* Returns its number on the communicator. */
static uint64_t book_collective(struct sca_call *call, struct sca_communicator *comm, int32_t root,
                                uint64_t bytes)
{
    uint64_t number = comm->collectives++;
    const uint32_t key[] = {call->site, sca_comm_record_index(comm), (uint32_t)root};
    call->bytes += bytes;
    if (call->site == SCA_NONE || key[1] == SCA_NONE)
        return number;
    uint32_t index = sca_arena_find_again(SCA_T_COLLECTIVES, key, 3);
    if (index == SCA_NONE)
        return number;
    struct sca_part_collective *at =
        (struct sca_part_collective *)sca_arena_table(SCA_T_COLLECTIVES) + index;
    at->bytes += bytes;
    at->count++;
    return number;
}

void sca_collective_book(struct sca_call *call, struct sca_communicator *comm, int32_t root)
{
    book_collective(call, comm, root, 0);
}

static struct action action_of(const struct sca_request *r)
{
    return (struct action){r->comm, r->shape, r->peer, r->number, r->bytes};
}

void sca_collective_start(struct sca_call *call, struct sca_request *r)
{
    r->number = book_collective(call, r->comm, r->peer, r->bytes);
    struct action action = action_of(r);
    note_begin(&action);
}

void sca_collective_done(const struct sca_request *r)
{
    struct action action = action_of(r);
    note_end(&action);
}

static int32_t root_of(const struct sca_communicator *comm, int root)
{
    if (root == SCA_NO_ROOT)
        return -1;
    return comm->inter && root == sca_abi.root ? sca_comm_record_self()
                                               : sca_comm_record_world_rank(comm, root);
}

/* All of the world leave it only after all have entered it. */
static bool ends_iteration(const struct sca_communicator *comm)
{
    return comm->id && !comm->inter && !comm->foreign && comm->size == sca_arena_header()->size;
}

static uint32_t out_degree(struct sca_communicator *comm)
{
    const struct sca_neighbours *n = sca_comm_neighbours(comm);
    return n ? n->out : 0;
}

static void follow(struct sca_call *call, const struct action *a, int when, sca_word handle)
{
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_COLLECTIVE, a->comm);
    if (!request)
        return;
    request->persistent = when == SCA_AT_START;
    request->active = when == SCA_NOW;
    request->shape = (uint8_t)a->shape;
    request->peer = a->root;
    request->bytes = a->bytes;
    if (when == SCA_NOW)
        sca_collective_start(call, request);
}

static void complete(struct sca_call *call, struct action *a)
{
    a->number = book_collective(call, a->comm, a->root, a->bytes);
    note_whole(a);
    call->ends_iteration = a->shape == SCA_ALL_TO_ALL && ends_iteration(a->comm);
}

void sca_collective_record(struct sca_call *call, int shape, int root, sca_word comm,
                           uint64_t bytes, int per, int when, sca_word handle)
{
    struct sca_communicator *near = shape == SCA_NEAR ? sca_comm_find(comm) : NULL;
    uint32_t neighbours = near ? out_degree(near) : 0; /* asks MPI */
    struct sca_communicator *c = sca_comm_lock(comm);
    if (!c)
        return;
    if (per == SCA_PER_MEMBER)
        bytes *= c->peers;
    else if (per == SCA_PER_NEIGHBOUR)
        bytes *= neighbours;
    struct action action = {.comm = c, .shape = shape, .root = root_of(c, root), .bytes = bytes};
    if (handle)
        follow(call, &action, when, handle);
    else
        complete(call, &action);
    sca_guard_unlock();
}

void sca_collective_meet(struct sca_call *call, struct sca_communicator *comm)
{
    struct action action = {.comm = comm, .shape = SCA_ALL_TO_ALL, .root = -1};
    sca_guard_lock();
    complete(call, &action);
    sca_guard_unlock();
}

static int64_t count_at(sca_word counts, int wide, uint32_t i)
{
    return wide ? ((const int64_t *)counts)[i] : ((const int32_t *)counts)[i];
}

uint64_t sca_collective_volume(sca_word comm, sca_word counts, int wide, sca_word types, int each,
                               int fortran, int neighbours)
{
    struct sca_communicator *c = sca_comm_find(comm);
    uint32_t n = c ? c->peers : 0;
    uint64_t sum = 0;
    int64_t total = 0;
    if (neighbours)
        n = c ? out_degree(c) : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (each)
            sum +=
                sca_abi_type_bytes(count_at(counts, wide, i), sca_abi_type_at(types, i, fortran));
        else
            total += count_at(counts, wide, i);
    }
    return each ? sum : sca_abi_type_bytes(total, types);
}
