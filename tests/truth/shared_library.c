/* The cause is in a shared library that the program links. */
/* TRUTH: category=imbalance ranks=upper-half waits=wait-at-nxn library=parts/state_equation.c */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, CELLS = 7200000 };

double pressure(double x, int count);

static double transport(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
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
    bool more = defect && rank >= size / 2;
    for (int step = 0; step < STEPS; step++) {
        x = transport(x, CELLS / size);
        double times = truth_times(more, 5, step, STEPS);
        truth_begin();
        x = pressure(x, (int)(CELLS / 4 / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
