#include "calls/comm_new.h"
#include "mpi/abi.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/comm_name.h"
#include "base/guard.h"
#include "calls/requests.h"
#include "calls/worlds.h"

/* Bases beside communicators: world and self have 1 and 2. */
enum { FROM_GROUP = 3, BETWEEN = 4, JOINED = 5 };

static struct sca_communicator *register_at(sca_word address, int fortran, uint64_t basis,
                                            unsigned function)
{
    return sca_comm_register(sca_abi_comm_at(address, fortran),
                             &(struct sca_origin){.basis = basis, .function = function});
}

/* What is made of a communicator that joins worlds joins them too. */
static void register_from(struct sca_communicator *from, unsigned function, sca_word address,
                          int fortran)
{
    const struct sca_worlds_meeting worlds = {.parent = from->id,
                                              .order = from->foreign ? from->derived++ : 0};
    sca_comm_register(sca_abi_comm_at(address, fortran),
                      &(struct sca_origin){.basis = sca_comm_name_basis(from->id, function, 0),
                                           .function = function,
                                           .worlds = from->foreign ? &worlds : NULL});
}

static void meet(struct sca_call *call, sca_word comm)
{
    sca_collective_record(call, SCA_ALL_TO_ALL, SCA_NO_ROOT, comm, 0, SCA_PER_CALL, SCA_NOW, 0);
}

void sca_comm_new(struct sca_call *call, sca_word parent, sca_word address, int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent);
    meet(call, parent);
    if (from)
        register_from(from, call->function, address, fortran);
}

/* Where the parent's other members take no part, those of the new one meet. */
void sca_comm_new_group(struct sca_call *call, sca_word parent, int tag, sca_word address,
                        int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent), *fresh = NULL;
    if (from)
        fresh = register_at(address, fortran,
                            sca_comm_name_basis(from->id, call->function, (uint32_t)tag),
                            call->function);
    if (fresh)
        sca_collective_meet(call, fresh);
}

static uint32_t tag_of(const char *text, size_t length)
{
    return (uint32_t)sca_worlds_text_key(text, length);
}

void sca_comm_new_set(struct sca_call *call, const char *text, size_t length, sca_word address,
                      int fortran)
{
    const unsigned function = SCA_FN_Comm_create_from_group;
    uint64_t basis = sca_comm_name_basis(FROM_GROUP, function, tag_of(text, length));
    struct sca_communicator *fresh = register_at(address, fortran, basis, function);
    if (fresh && call)
        sca_collective_meet(call, fresh);
}

void sca_comm_new_inter_set(struct sca_call *call, const char *text, size_t length,
                            sca_word address, int fortran)
{
    uint64_t basis = sca_comm_name_basis(BETWEEN, call->function, tag_of(text, length));
    struct sca_communicator *fresh = register_at(address, fortran, basis, call->function);
    if (fresh)
        sca_collective_meet(call, fresh);
}

static struct sca_communicator *join_worlds(const struct sca_call *call, uint64_t basis,
                                            const struct sca_worlds_meeting *worlds,
                                            sca_word address, int fortran)
{
    return sca_comm_register(
        sca_abi_comm_at(address, fortran),
        &(struct sca_origin){.basis = sca_comm_name_basis(basis, call->function, 0),
                             .function = call->function,
                             .worlds = worlds});
}

/* Those who are started are not there yet: only the parent's members meet. */
void sca_comm_new_spawned(struct sca_call *call, sca_word parent, int root, sca_word address,
                          int fortran)
{
    const struct sca_communicator *from = sca_comm_find(parent);
    meet(call, parent);
    if (!from)
        return;
    const struct sca_worlds_meeting worlds = {.tells = (int64_t)from->rank == root,
                                              .took_ns = call->exit_ns - call->enter_ns};
    join_worlds(call, from->id, &worlds, address, fortran);
}

/* All of both worlds meet. The port is the root's: what the others pass may be anything. */
void sca_comm_new_met(struct sca_call *call, sca_word parent, int root, const char *port,
                      size_t length, sca_word address, int fortran)
{
    const struct sca_communicator *from = sca_comm_find(parent);
    if (!from)
        return;
    bool tells = (int64_t)from->rank == root;
    const struct sca_worlds_meeting worlds = {.key = tells ? sca_worlds_text_key(port, length) : 0,
                                              .tells = tells,
                                              .took_ns = call->exit_ns - call->enter_ns};
    struct sca_communicator *fresh = join_worlds(call, from->id, &worlds, address, fortran);
    if (fresh)
        sca_collective_meet(call, fresh);
}

void sca_comm_new_joined(struct sca_call *call, int64_t socket, sca_word address, int fortran)
{
    const struct sca_worlds_meeting worlds = {.key = sca_worlds_socket_key((int)socket),
                                              .tells = true,
                                              .took_ns = call->exit_ns - call->enter_ns};
    struct sca_communicator *fresh = join_worlds(call, JOINED, &worlds, address, fortran);
    if (fresh)
        sca_collective_meet(call, fresh);
}

struct sca_communicator *sca_comm_new_part(sca_word handle)
{
    struct sca_communicator *comm = sca_comm_any_foreign() ? sca_comm_find(handle) : NULL;
    bool joins = comm && comm->foreign;
    sca_guard_lock();
    if (joins)
        sca_comm_use(comm);
    sca_guard_unlock();
    sca_comm_free(handle);
    return joins ? comm : NULL;
}

void sca_comm_new_parted(struct sca_call *call, struct sca_communicator *parted, bool ok)
{
    if (!parted)
        return;
    if (ok)
        sca_collective_meet(call, parted);
    sca_guard_lock();
    sca_comm_unuse(parted);
    sca_guard_unlock();
}

/* The two sides come from different communicators: only members and tag are common. */
void sca_comm_new_inter(struct sca_call *call, sca_word parent, int tag, sca_word address,
                        int fortran)
{
    meet(call, parent);
    register_at(address, fortran, sca_comm_name_basis(BETWEEN, call->function, (uint32_t)tag),
                call->function);
}

void sca_comm_new_idup(struct sca_call *call, sca_word parent, sca_word address, sca_word handle,
                       int fortran)
{
    struct sca_communicator *from = sca_comm_find(parent);
    meet(call, parent);
    sca_guard_lock();
    uint64_t basis = from ? sca_comm_name_basis(from->id, call->function, 0) : 0;
    uint64_t name = sca_comm_name(basis, 0); /* the members are the parent's */
    struct sca_request *request = sca_requests_add(handle, SCA_REQUEST_IDUP, NULL);
    if (request) {
        request->function = call->function;
        request->name = name;
        request->address = address;
        request->fortran = fortran;
    }
    sca_guard_unlock();
}

void sca_comm_new_idup_done(unsigned function, uint64_t name, sca_word address, int fortran)
{
    sca_comm_register(sca_abi_comm_at(address, fortran),
                      &(struct sca_origin){.name = name, .function = function});
}
