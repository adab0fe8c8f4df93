/* One rank's table of kernels holds a slow one, reached through a pointer. */
/* TRUTH: category=imbalance ranks=2 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 8000000 };

typedef double kernel(double x, int count);

static double fast(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double slow(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    kernel *volatile table[] = {fast, slow};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    bool more = defect && rank == (size > 2 ? 2 : 1);
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, 4, step, STEPS);
        truth_begin();
        x = table[times > 1](x, (int)(WORK / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
