/* Two neighbours exchange many messages in each step; which of them is slow is drawn for each step.
 * They never meet otherwise, and there are more calls than one window can hold. */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 600, WORK = 250000, SLOW = 5, MESSAGES = 16 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double exchange(double x, int peer)
{
    double from[MESSAGES] = {0}, sum = 0;
    MPI_Request in[MESSAGES], out[MESSAGES];
    for (int m = 0; m < MESSAGES; m++) {
        MPI_Irecv(&from[m], 1, MPI_DOUBLE, peer, m, MPI_COMM_WORLD, &in[m]);
        MPI_Isend(&x, 1, MPI_DOUBLE, peer, m, MPI_COMM_WORLD, &out[m]);
    }
    for (int m = 0; m < MESSAGES; m++) {
        MPI_Wait(&in[m], MPI_STATUS_IGNORE);
        MPI_Wait(&out[m], MPI_STATUS_IGNORE);
        sum += from[m];
    }
    return (x + sum / MESSAGES) / 2;
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
