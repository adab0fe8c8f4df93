/* Open MPI's constants. Its handles are addresses of variables that only it has: looked up by
 * name, so that this library loads without it. */
#include "mpi/abi.h"
#include <mpi.h>
#include <stddef.h>

void sca_abi_openmpi(struct sca_abi *abi)
{
    *abi = (struct sca_abi){
        .name = "Open MPI",
        .eager = 4096,
        .wide = true,
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
        .status_size = sizeof(MPI_Status),
        .status_source = offsetof(MPI_Status, MPI_SOURCE),
        .status_tag = offsetof(MPI_Status, MPI_TAG),
        .status_count = offsetof(MPI_Status, _ucount),
    };
    abi->comm_world = (sca_word)sca_symbols_find_variable("ompi_mpi_comm_world");
    abi->comm_self = (sca_word)sca_symbols_find_variable("ompi_mpi_comm_self");
    abi->comm_null = (sca_word)sca_symbols_find_variable("ompi_mpi_comm_null");
    abi->request_null = (sca_word)sca_symbols_find_variable("ompi_request_null");
    abi->request_empty = (sca_word)sca_symbols_find_variable("ompi_request_empty");
    abi->byte = (sca_word)sca_symbols_find_variable("ompi_mpi_byte");
    abi->bitwise_or = (sca_word)sca_symbols_find_variable("ompi_mpi_op_bor");
    abi->replace = (sca_word)sca_symbols_find_variable("ompi_mpi_op_replace");
    abi->no_op = (sca_word)sca_symbols_find_variable("ompi_mpi_op_no_op");
    abi->errors_return = (sca_word)sca_symbols_find_variable("ompi_mpi_errors_return");
    abi->info_null = (sca_word)sca_symbols_find_variable("ompi_mpi_info_null");
    abi->fortran_status_ignore = sca_symbols_find_variable("mpi_fortran_status_ignore_");
    abi->fortran_statuses_ignore = sca_symbols_find_variable("mpi_fortran_statuses_ignore_");
    abi->fortran_in_place = sca_symbols_find_variable("mpi_fortran_in_place_");
}
