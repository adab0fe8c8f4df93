/* A small function is inlined at three call sites; only in one of them does it work too long. */
/* TRUTH: category=imbalance ranks=3 waits=wait-at-barrier */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 3000000 };

static inline double axpy(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
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
    int slow = defect && rank == (size > 3 ? 3 : size - 1);
    for (int step = 0; step < STEPS; step++) {
        x = axpy(x, WORK / size);
        MPI_Barrier(MPI_COMM_WORLD);
        double times = truth_times(slow, 6, step, STEPS);
        truth_begin();
        x = axpy(x, (int)(WORK / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Barrier(MPI_COMM_WORLD);
        x = axpy(x, WORK / size);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
