/* Each rank makes the whole table, which takes three times as long as its part of the work does on
 * eight ranks. */
/* TRUTH: category=nonscalable ranks=all waits=none cost=total-each*2 gain=total-each */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 8000000, TABLE = 1000000 };

static double tabulate(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double integrate(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
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
    for (int step = 0; step < STEPS; step++) {
        x = integrate(x, WORK / size);
        truth_begin();
        x = tabulate(x, defect ? TABLE : TABLE / size);
        truth_end(0, 1);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
