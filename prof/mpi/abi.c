#include "mpi/abi.h"
#include "base/hot.h"
#include <string.h>

struct sca_abi sca_abi SCA_HOT_TABLE;
struct sca_abi_calls sca_mpi SCA_HOT_TABLE;

struct binding {
    const char *name;
    void *slot;
    bool needed;
};

static const struct binding bindings[] = {
    {"PMPI_Type_size_x", &sca_mpi.type_size_x, true},
    {"PMPI_Get_elements_x", &sca_mpi.get_elements_x, true},
    {"PMPI_Status_set_elements_x", &sca_mpi.status_set_elements_x, false},
    {"PMPI_Test_cancelled", &sca_mpi.test_cancelled, true},
    {"PMPI_Query_thread", &sca_mpi.query_thread, true},
    {"PMPI_Comm_rank", &sca_mpi.comm_rank, true},
    {"PMPI_Comm_size", &sca_mpi.comm_size, true},
    {"PMPI_Comm_test_inter", &sca_mpi.comm_test_inter, true},
    {"PMPI_Comm_group", &sca_mpi.comm_group, true},
    {"PMPI_Comm_remote_group", &sca_mpi.comm_remote_group, true},
    {"PMPI_Comm_get_parent", &sca_mpi.comm_get_parent, false},
    {"PMPI_Group_size", &sca_mpi.group_size, true},
    {"PMPI_Group_free", &sca_mpi.group_free, true},
    {"PMPI_Group_translate_ranks", &sca_mpi.group_translate_ranks, true},
    {"PMPI_Comm_f2c", &sca_mpi.comm_f2c, false},
    {"PMPI_Type_f2c", &sca_mpi.type_f2c, false},
    {"PMPI_Request_f2c", &sca_mpi.request_f2c, false},
    {"PMPI_Message_f2c", &sca_mpi.message_f2c, false},
    {"PMPI_Session_f2c", &sca_mpi.session_f2c, false},
    {"PMPI_Win_f2c", &sca_mpi.win_f2c, false},
    {"PMPI_File_f2c", &sca_mpi.file_f2c, false},
    {"PMPI_Group_f2c", &sca_mpi.group_f2c, false},
    {"PMPI_Op_f2c", &sca_mpi.op_f2c, false},
};

static int bind_calls(void)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        void *found = sca_symbols_find(bindings[i].name);
        if (!found && bindings[i].needed)
            return -1;
        memcpy(bindings[i].slot, &found, sizeof found);
    }
    return 0;
}

#if SCA_WITH_MPICH
static sca_word same_handle(int handle)
{
    return (uint32_t)handle;
}
#endif

static uint64_t count_in(const void *status)
{
    uint64_t word;
    memcpy(&word, (const char *)status + sca_abi.status_count, sizeof word);
    return sca_abi.count_split ? (word >> 33 << 32) | (uint32_t)word : word;
}

/* Asked of each received message: MPI's function takes a tenth of what we do there. */
static void try_count(void)
{
    static const int64_t counts[] = {7, 5000000011, 0};
    struct sca_status_room status = {0};
    bool same = sca_mpi.status_set_elements_x != NULL;
    for (size_t i = 0; same && i < sizeof counts / sizeof *counts; i++)
        same = !sca_mpi.status_set_elements_x(&status, sca_abi.byte, counts[i]) &&
               count_in(&status) == (uint64_t)counts[i];
    sca_abi.count_known = same;
}

/* What is not Open MPI keeps MPICH's ABI. */
static int choose(void)
{
    if (sca_symbols_find("ompi_mpi_comm_world")) {
#if SCA_WITH_OPENMPI
        sca_abi_openmpi(&sca_abi);
        return sca_mpi.comm_f2c && sca_mpi.type_f2c && sca_mpi.request_f2c ? 0 : -1;
#endif
    } else {
#if SCA_WITH_MPICH
        sca_abi_mpich(&sca_abi);
        sca_mpi.comm_f2c = sca_mpi.type_f2c = same_handle;
        sca_mpi.request_f2c = sca_mpi.message_f2c = sca_mpi.session_f2c = same_handle;
        sca_mpi.win_f2c = sca_mpi.group_f2c = sca_mpi.op_f2c = same_handle;
        return 0;
#endif
    }
    return -1;
}

int sca_abi_select(void)
{
    if (bind_calls() < 0 || choose() < 0)
        return -1;
    try_count();
    return 0;
}

static sca_word load(sca_word array, int64_t i)
{
    if (sca_abi.wide)
        return ((const sca_word *)array)[i];
    return ((const uint32_t *)array)[i];
}

static int load_fortran(sca_word array, int64_t i)
{
    return ((const int32_t *)array)[i];
}

sca_word sca_abi_request_at(sca_word array, int64_t i, int fortran)
{
    return fortran ? sca_mpi.request_f2c(load_fortran(array, i)) : load(array, i);
}

sca_word sca_abi_message_at(sca_word address, int fortran)
{
    return fortran ? sca_mpi.message_f2c(load_fortran(address, 0)) : load(address, 0);
}

sca_word sca_abi_comm_at(sca_word address, int fortran)
{
    return fortran ? sca_mpi.comm_f2c(load_fortran(address, 0)) : load(address, 0);
}

sca_word sca_abi_session_at(sca_word address, int fortran)
{
    if (!fortran)
        return load(address, 0);
    return sca_mpi.session_f2c ? sca_mpi.session_f2c(load_fortran(address, 0)) : 0;
}

sca_word sca_abi_type_at(sca_word array, int64_t i, int fortran)
{
    return fortran ? sca_mpi.type_f2c(load_fortran(array, i)) : load(array, i);
}

sca_word sca_abi_win_at(sca_word address, int fortran)
{
    return fortran ? sca_abi_fortran_win(address) : load(address, 0);
}

/* A pointer with every library. */
sca_word sca_abi_file_at(sca_word address, int fortran)
{
    return fortran ? sca_abi_fortran_file(address) : *(const sca_word *)address;
}

sca_word sca_abi_fortran_comm(sca_word address)
{
    return sca_mpi.comm_f2c(load_fortran(address, 0));
}

sca_word sca_abi_fortran_type(sca_word address)
{
    return sca_mpi.type_f2c(load_fortran(address, 0));
}

sca_word sca_abi_fortran_win(sca_word address)
{
    return sca_mpi.win_f2c ? sca_mpi.win_f2c(load_fortran(address, 0)) : 0;
}

sca_word sca_abi_fortran_file(sca_word address)
{
    return sca_mpi.file_f2c ? sca_mpi.file_f2c(load_fortran(address, 0)) : 0;
}

sca_word sca_abi_fortran_group(sca_word address)
{
    return sca_mpi.group_f2c ? sca_mpi.group_f2c(load_fortran(address, 0)) : 0;
}

sca_word sca_abi_fortran_op(sca_word address)
{
    return sca_mpi.op_f2c ? sca_mpi.op_f2c(load_fortran(address, 0)) : 0;
}

bool sca_abi_fortran_ok(sca_word ierror)
{
    return !ierror || load_fortran(ierror, 0) == 0;
}

bool sca_abi_is_in_place(sca_word buffer, int fortran)
{
    return buffer == (fortran ? (sca_word)sca_abi.fortran_in_place : sca_abi.in_place);
}

static int status_int(const void *status, unsigned offset)
{
    int32_t value;
    memcpy(&value, (const char *)status + offset, sizeof value);
    return value;
}

int sca_abi_status_source(const void *status)
{
    return status_int(status, sca_abi.status_source);
}

int sca_abi_status_tag(const void *status)
{
    return status_int(status, sca_abi.status_tag);
}

/* A Fortran status is aligned for integers only, so the library gets a copy. */
uint64_t sca_abi_status_bytes(const void *status)
{
    struct sca_status_room copy;
    int64_t count = 0;
    if (__builtin_expect(sca_abi.count_known, 1))
        return count_in(status);
    memcpy(&copy, status, sca_abi.status_size);
    sca_mpi.get_elements_x(&copy, sca_abi.byte, &count);
    return count > 0 ? (uint64_t)count : 0;
}

sca_word sca_abi_status_own(sca_word status, struct sca_status_room *room, int fortran)
{
    sca_word ignore = fortran ? (sca_word)sca_abi.fortran_status_ignore : sca_abi.status_ignore;
    return status == ignore ? (sca_word)room : status;
}

bool sca_abi_statuses_ignored(sca_word statuses, int fortran)
{
    return statuses ==
           (fortran ? (sca_word)sca_abi.fortran_statuses_ignore : sca_abi.statuses_ignore);
}

uint64_t sca_abi_type_bytes(int64_t count, sca_word type)
{
    int64_t size = 0;
    if (count <= 0 || sca_mpi.type_size_x(type, &size) != 0 || size <= 0)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}
