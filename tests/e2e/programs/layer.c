/* A layer of MPI's profiling interface: it counts calls, some by way of a helper, and makes one of
 * another. */
#include <mpi.h>
#include <stdio.h>

static int calls;

static int __attribute__((noinline)) counted(int status)
{
    calls++;
    return status;
}

int MPI_Barrier(MPI_Comm comm)
{
    return counted(PMPI_Barrier(comm));
}

static int __attribute__((noinline)) by_helper(const void *in, void *out, int count,
                                               MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int status = PMPI_Reduce(in, out, count, type, op, 0, comm);
    return counted(status | PMPI_Bcast(out, count, type, 0, comm));
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return counted(by_helper(in, out, count, type, op, comm));
}

int MPI_Finalize(void)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!rank)
        printf("layer saw %d\n", calls);
    fflush(stdout);
    return PMPI_Finalize();
}
