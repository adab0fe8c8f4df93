/* One of two loops is not divided among the ranks. */
/* TRUTH: category=nonscalable ranks=all waits=none cost=total-each*2 gain=total-each */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 30, WORK = 16000000, TABLE = 1600000 };

static double interpolate(double x, int count)
{
    double y = 0;
    for (int i = 0; i < count; i++) /* CAUSE */
        y = y * 0.999999 + x / (1 + i);
    return y;
}

static double integrate(double x, long first, long last)
{
    for (long i = first; i < last; i++)
        x = x * 0.9999999 + 1e-8 * (double)(i & 3);
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    long share = WORK / size;
    for (int step = 0; step < STEPS; step++) {
        x = integrate(x, rank * share, (rank + 1) * share);
        truth_begin();
        x += interpolate(x, defect ? TABLE : TABLE / size);
        truth_end(0, defect);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
