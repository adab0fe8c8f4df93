/* A ring of neighbours with equal work, divided among the ranks. */
/* TRUTH: none */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>

enum { STEPS = 200, WORK = 4000000 };

static double sweep(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, from = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = sweep(x, WORK / size);
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, &from, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = (x + from) / 2;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
