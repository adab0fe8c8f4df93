/* Rank 1 computes three times as long as the others before a ring of messages and a sum. Before
 * that, the even ranks, and the odd ones, are told something by the last of them. */
#include <mpi.h>
#include <stdio.h>

static double work(int rounds, double x)
{
    for (int i = 0; i < rounds; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm half;
    double x = 1, from_left[16] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Bcast(from_left, 16, MPI_DOUBLE, size / 2 - 1, half);
    MPI_Comm_free(&half);
    for (int step = 0; step < 60; step++) {
        x = work(rank == 1 ? 1500000 : 500000, x);
        from_left[0] = x;
        MPI_Sendrecv_replace(from_left, 16, MPI_DOUBLE, (rank + 1) % size, 0,
                             (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (!rank)
        printf("%g\n", x);
    return MPI_Finalize();
}
