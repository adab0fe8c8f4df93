/* Calls MPI with a layer in front of it: each from a function of its own. */
#include <mpi.h>
#include <stdio.h>

#define APART __attribute__((noinline, noclone))

static int rank, sum;

APART static void barriers(void)
{
    for (int i = 0; i < 4; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    sum += 1000;
}

APART static void reductions(void)
{
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sum++;
}

APART static void probes(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    sum += flag;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank++;
    reductions();
    barriers();
    probes();
    if (rank == 1)
        printf("sum %d\n", sum);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
