/* Two neighbours exchange messages; which of them is slow is drawn for each step. They never meet
 * otherwise, and there are more steps than one window can hold. */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 9000, WORK = 10000, SLOW = 5 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double exchange(double x, int peer)
{
    double from = 0;
    MPI_Request requests[2];
    MPI_Irecv(&from, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&x, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    return (x + from) / 2;
}

int main(int argc, char **argv)
{
    int rank;
    unsigned dice = 1;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < STEPS; step++) {
        dice = dice * 1664525u + 1013904223u; /* the same on both ranks */
        x = relax(x, dice >> 31 == (unsigned)rank ? SLOW * WORK : WORK);
        x = exchange(x, 1 - rank);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
