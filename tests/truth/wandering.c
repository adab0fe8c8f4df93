/* The slow rank is another one in every step: totals are balanced, yet all wait. */
/* TRUTH: category=imbalance ranks=all waits=wait-at-nxn cost=(P-1)*total gain=P*total fixed=yes */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 240, WORK = 3000000, EXTRA = 1500000 };

static double regular(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double rebalance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
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
        x = regular(x, WORK / size);
        int extra = truth_extra(defect && step % size == rank, EXTRA, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = rebalance(x, extra);
            truth_end(0, 1);
        }
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
