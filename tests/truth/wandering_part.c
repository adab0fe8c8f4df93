/* A step has three loops. The middle one, a third of the work, takes five times as long on another
 * rank in each step; the others are the same everywhere. */
/* TRUTH: category=imbalance ranks=all waits=wait-at-nxn cost=(P-1)*total gain=P*total fixed=yes */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 800, WORK = 600000 };

static double predict(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 1e-8;
    return x;
}

static double search(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double correct(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999997 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    unsigned dice = 7;
    double x = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        dice = dice * 1664525u + 1013904223u; /* the same on all ranks */
        bool slow = defect && (dice >> 16) % (unsigned)size == (unsigned)rank;
        double times = truth_times(slow, 5, step, STEPS);
        x = predict(x, WORK / size);
        truth_begin();
        x = search(x, (int)(WORK / size * times));
        truth_end(0, 1 - 1 / times);
        x = correct(x, WORK / size);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
