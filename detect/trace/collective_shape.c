/* Which ranks a collective makes wait, by its name; and what takes locks. */
#include "trace/replay_trace.h"

#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

int sca_collective_shape(const char *function)
{
    static const struct {
        const char *stem;
        int shape;
    } stems[] = {
        {"MPI_Barrier", SCA_ALL_TO_ALL},
        {"MPI_Allreduce", SCA_ALL_TO_ALL},
        {"MPI_Allgather", SCA_ALL_TO_ALL},
        {"MPI_Alltoall", SCA_ALL_TO_ALL},
        {"MPI_Bcast", SCA_ONE_TO_ALL},
        {"MPI_Reduce_scatter", SCA_ALL_TO_ALL},
        {"MPI_Reduce", SCA_ALL_TO_ONE},
        {"MPI_Scatter", SCA_ONE_TO_ALL},
        {"MPI_Gather", SCA_ALL_TO_ONE},
        {"MPI_Scan", SCA_PREFIX},
        {"MPI_Exscan", SCA_PREFIX},
        {"MPI_Comm_", SCA_ALL_TO_ALL},
        {"MPI_Win_fence", SCA_ALL_TO_ALL},
        {"MPI_File_", SCA_ALL_TO_ALL},
        {"MPI_Cart_", SCA_ALL_TO_ALL},
        {"MPI_Finalize", SCA_ALL_TO_ALL},
        {"MPI_Win_create", SCA_ALL_TO_ALL},
        {"MPI_Win_allocate", SCA_ALL_TO_ALL},
        {"MPI_Win_free", SCA_ALL_TO_ALL},
        {"MPI_Graph_create", SCA_ALL_TO_ALL},
        {"MPI_Dist_graph_create", SCA_ALL_TO_ALL},
        {"MPI_Intercomm_", SCA_ALL_TO_ALL},
        {"pthread_barrier_wait", SCA_ALL_TO_ALL},
    };
    if (ends_with(function, "_init") || !strcmp(function, "MPI_Comm_idup"))
        return -1; /* starts nothing yet, or waits for nobody */
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (!strncmp(function, stems[i].stem, strlen(stems[i].stem)))
            return stems[i].shape;
    return -1;
}

int sca_lock_shape(const char *function)
{
    if (!strcmp(function, "MPI_Win_lock"))
        return SCA_LOCK_EXCLUSIVE;
    return strcmp(function, "MPI_Win_unlock") != 0 ? -1 : SCA_LOCK_RELEASE;
}
