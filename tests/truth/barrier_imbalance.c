/* The upper half of the ranks has 60 % more particles. */
/* TRUTH: category=imbalance ranks=upper-half waits=wait-at-barrier */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, PARTICLES = 12000000 };

static double push(double x, int particles)
{
    for (int i = 0; i < particles; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double field(double x, int cells)
{
    for (int i = 0; i < cells; i++)
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
    bool more = defect && rank >= size / 2;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, 1.6, step, STEPS);
        truth_begin();
        x = push(x, (int)(PARTICLES / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Barrier(MPI_COMM_WORLD);
        x = field(x, PARTICLES / 2 / size);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
