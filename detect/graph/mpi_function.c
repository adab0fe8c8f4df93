#include "graph/mpi_function.h"

#include <stddef.h>
#include <string.h>

bool sca_mpi_function_blocks(const char *name)
{
    return strncmp(name, "MPI", 3) != 0 && strcmp(name, "pthread_barrier_wait") != 0 &&
           !sca_mpi_function_is_of_thread(name) && !sca_mpi_function_ends(name);
}

bool sca_mpi_function_is_of_thread(const char *name)
{
    return !strncmp(name, "thread ", 7);
}

bool sca_mpi_function_ends(const char *name)
{
    static const char *const endings[] = {"exit", "_exit", "quick_exit", "abort", "assert"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(name, endings[i]))
            return true;
    return false;
}

bool sca_mpi_function_is_local(const char *name)
{
    static const char *const stems[] = {
        "MPI_Comm_rank",   "MPI_Comm_size",    "MPI_Comm_get_",    "MPI_Comm_set_",
        "MPI_Comm_group",  "MPI_Comm_compare", "MPI_Cart_get",     "MPI_Cart_rank",
        "MPI_Cart_coords", "MPI_Cart_shift",   "MPI_Cartdim_get",  "MPI_Topo_test",
        "MPI_Dims_create", "MPI_Get_",         "MPI_Type_",        "MPI_Group_",
        "MPI_Info_",       "MPI_Pack",         "MPI_Unpack",       "MPI_Op_",
        "MPI_Initialized", "MPI_Finalized",    "MPI_Query_thread", "MPI_Is_thread_main",
        "MPI_Wtime",       "MPI_Wtick",        "MPI_Error_",       "MPI_Status_"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (!strncmp(name, stems[i], strlen(stems[i])))
            return strcmp(name, "MPI_Get_accumulate") != 0;
    return false;
}
