/* MPICH's constants, and those of everything that keeps its ABI. Handles are integers. */
#include "mpi/abi.h"
#include <mpi.h>
#include <stddef.h>

void sca_abi_mpich(struct sca_abi *abi)
{
    *abi = (struct sca_abi){
        .name = "MPICH",
        .eager = 64 << 10,
        .fortran_calls_c = true,
        .isendrecv_untold = true,
        .any_source = MPI_ANY_SOURCE,
        .any_tag = MPI_ANY_TAG,
        .proc_null = MPI_PROC_NULL,
        .root = MPI_ROOT,
        .undefined = MPI_UNDEFINED,
        .serialized = MPI_THREAD_SERIALIZED,
        .multiple = MPI_THREAD_MULTIPLE,
        .cart = MPI_CART,
        .graph = MPI_GRAPH,
        .dist_graph = MPI_DIST_GRAPH,
        .lock_exclusive = MPI_LOCK_EXCLUSIVE,
        .status_ignore = (sca_word)MPI_STATUS_IGNORE,
        .statuses_ignore = (sca_word)MPI_STATUSES_IGNORE,
        .in_place = (sca_word)MPI_IN_PLACE,
        .comm_world = (uint32_t)MPI_COMM_WORLD,
        .comm_self = (uint32_t)MPI_COMM_SELF,
        .comm_null = (uint32_t)MPI_COMM_NULL,
        .request_null = (uint32_t)MPI_REQUEST_NULL,
        .byte = (uint32_t)MPI_BYTE,
        .bitwise_or = (uint32_t)MPI_BOR,
        .replace = (uint32_t)MPI_REPLACE,
        .no_op = (uint32_t)MPI_NO_OP,
        .errors_return = (uint32_t)MPI_ERRORS_RETURN,
        .info_null = (uint32_t)MPI_INFO_NULL,
        .status_size = sizeof(MPI_Status),
        .status_source = offsetof(MPI_Status, MPI_SOURCE),
        .status_tag = offsetof(MPI_Status, MPI_TAG),
        .status_count = offsetof(MPI_Status, count_lo),
        .count_split = true,
    };
    abi->fortran_status_ignore = sca_symbols_find_variable("MPIR_F08_MPI_STATUS_IGNORE_OBJ");
    abi->fortran_statuses_ignore = sca_symbols_find_variable("MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
}
