#include "calls/comm_new.h"
#include "mpi/abi.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/comm_name.h"
#include "base/guard.h"
#include "base/hash.h"
#include "calls/requests.h"

/* Bases beside communicators: world and self have 1 and 2. */
enum { FROM_GROUP = 3, BETWEEN = 4 };

static struct sca_communicator *register_at(sca_word address, int fortran, uint64_t basis,
                                            unsigned function)
{
    return sca_comm_register(sca_abi_comm_at(address, fortran),
                             &(struct sca_origin){.basis = basis, .function = function});
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
        register_at(address, fortran, sca_comm_name_basis(from->id, call->function, 0),
                    call->function);
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

/* Fortran's texts end in blanks. */
static uint32_t tag_of(const char *text, size_t length)
{
    uint64_t hash = 0;
    while (length && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++)
        hash = sca_hash_mix(hash, (unsigned char)text[i]);
    return (uint32_t)hash;
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

void sca_comm_new_other(struct sca_call *call, sca_word address, int fortran)
{
    register_at(address, fortran, 0, call->function);
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
