/* The last rank's part of a stencil takes three times as long as the others'. */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>

enum { STEPS = 200, WORK = 6000000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double transport(double x, int count)
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
    int count = WORK / size;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(defect && rank == size - 1, 3, step, STEPS);
        x = transport(x, count / 6);
        truth_begin();
        x = relax(x, (int)(count / 4 * times));
        truth_end(0, (times - 1) / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
