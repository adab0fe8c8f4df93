/* ends STATUS|kill: some work and MPI_Allreduce, then that status, or a rank that dies before. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static double work(double x)
{
    for (int i = 0; i < 200000; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

int main(int argc, char **argv)
{
    int rank;
    double x = argc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 30; step++) {
        x = work(x + rank);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 1 && !strcmp(argv[1], "kill"))
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return atoi(argv[1]);
}
