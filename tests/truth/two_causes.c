/* Rank 1 is late for the barrier, and in the other half of the step the last rank for the
 * reduction. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-barrier */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 4000000, FIRST = 1800000, SECOND = 900000 };

static double chemistry(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double ignite(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double radiate(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999997 + 3e-8;
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
        x = chemistry(x, WORK / size);
        int first = truth_extra(defect && rank == 1, FIRST, WORK / size, step, STEPS);
        truth_begin();
        x = ignite(x, first);
        truth_end(0, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        x = chemistry(x, WORK / size);
        bool last = defect && rank == size - 1;
        int second = truth_extra(last, SECOND, WORK / size / 2, step, STEPS);
        truth_begin();
        x = radiate(x, second);
        truth_end(1, 1);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
