/*
 * What this library must know of the MPI library it finds itself with: constants, the layout of a
 * status, the width of a handle, and the calls it makes itself. Chosen at MPI_Init from what the
 * program links; one descriptor per implementation is compiled against that one's mpi.h.
 * Handles travel as words. Read-only after sca_abi_select(); any thread.
 */
#ifndef SCA_PROF_ABI_H
#define SCA_PROF_ABI_H

#include "mpi/symbols.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_abi {
    uint64_t eager;        /* greater messages wait for their receive */
    const char *name;      /* "Open MPI", "MPICH" */
    bool wide;             /* handles are pointers, else int */
    bool fortran_calls_c;  /* its Fortran entries call MPI_X, so the C wrapper sees them */
    bool isendrecv_untold; /* its status of MPI_Isendrecv says nothing */
    int any_source, any_tag, proc_null, root, undefined, serialized, multiple;
    int cart, graph, dist_graph; /* what MPI_Topo_test says */
    int lock_exclusive;
    sca_word status_ignore, statuses_ignore, in_place;
    sca_word comm_world, comm_self, comm_null, request_null, request_empty, byte;
    sca_word bitwise_or, replace, no_op, errors_return, info_null;
    unsigned status_size, status_source, status_tag, status_count;
    bool count_split; /* its upper half has one more bit, of something else, below it */
    bool count_known; /* a trial has shown that the bytes stand there; else MPI is asked */
    const void *fortran_status_ignore, *fortran_statuses_ignore, *fortran_in_place;
};

struct sca_abi_calls {
    int (*type_size_x)(sca_word type, int64_t *size);
    int (*get_elements_x)(const void *status, sca_word type, int64_t *count);
    int (*status_set_elements_x)(void *status, sca_word type, int64_t count);
    int (*test_cancelled)(const void *status, int *flag);
    int (*query_thread)(int *level);
    int (*comm_rank)(sca_word comm, int *rank);
    int (*comm_size)(sca_word comm, int *size);
    int (*comm_test_inter)(sca_word comm, int *flag);
    int (*comm_group)(sca_word comm, sca_word *group);
    int (*comm_remote_group)(sca_word comm, sca_word *group);
    int (*comm_get_parent)(sca_word *comm);
    int (*group_size)(sca_word group, int *size);
    int (*group_free)(sca_word *group);
    int (*group_translate_ranks)(sca_word from, int n, const int *ranks, sca_word to, int *out);
    sca_word (*comm_f2c)(int), (*type_f2c)(int), (*request_f2c)(int), (*message_f2c)(int),
        (*session_f2c)(int);
    sca_word (*win_f2c)(int), (*file_f2c)(int), (*group_f2c)(int), (*op_f2c)(int);
};

extern struct sca_abi sca_abi;
extern struct sca_abi_calls sca_mpi;

/* 0, or -1 when the MPI library is none we know: everything passes through unrecorded. */
int sca_abi_select(void);

void sca_abi_openmpi(struct sca_abi *abi);
void sca_abi_mpich(struct sca_abi *abi);

/* A handle argument as a key: an int's upper half is whatever the register held. */
static inline sca_word sca_abi_handle(sca_word argument)
{
    return sca_abi.wide ? argument : (uint32_t)argument;
}
/* Handle number i of an array, Fortran's (fortran != 0) or C's. */
sca_word sca_abi_request_at(sca_word array, int64_t i, int fortran);
sca_word sca_abi_message_at(sca_word address, int fortran);
sca_word sca_abi_comm_at(sca_word address, int fortran);
sca_word sca_abi_session_at(sca_word address, int fortran); /* 0: none */
sca_word sca_abi_type_at(sca_word array, int64_t i, int fortran);
/* 0 where the library cannot tell. */
sca_word sca_abi_win_at(sca_word address, int fortran);
sca_word sca_abi_file_at(sca_word address, int fortran);
/* A Fortran handle argument: the address of its integer. */
sca_word sca_abi_fortran_comm(sca_word address);
sca_word sca_abi_fortran_type(sca_word address);
sca_word sca_abi_fortran_win(sca_word address);
sca_word sca_abi_fortran_file(sca_word address);
sca_word sca_abi_fortran_group(sca_word address);
sca_word sca_abi_fortran_op(sca_word address);
/* f08 leaves ierror out by passing NULL; what failed then has ended the program. */
bool sca_abi_fortran_ok(sca_word ierror);
/* Of so many elements; 0 where the library cannot tell. */
uint64_t sca_abi_type_bytes(int64_t count, sca_word type);
bool sca_abi_is_in_place(sca_word buffer, int fortran);

int sca_abi_status_source(const void *status);
int sca_abi_status_tag(const void *status);
uint64_t sca_abi_status_bytes(const void *status);

/* Room for a status of our own where the application wants none. */
struct sca_status_room {
    uint64_t bytes[8];
};
sca_word sca_abi_status_own(sca_word status, struct sca_status_room *room, int fortran);
bool sca_abi_statuses_ignored(sca_word statuses, int fortran);

#endif
