/* Rank 0 merges a table of every rank while all wait for the result: the more ranks, the longer. */
/* TRUTH: category=serial ranks=0 waits=late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, WORK = 6400000, TABLE = 250000, MOST = 64 };

static double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double merge(const double *all, int size, int count)
{
    double x = 0;
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + all[i % size] * 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, all[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = compute(x, WORK / size);
        MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        int extra = truth_extra(defect && rank == 0, TABLE * size, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = merge(all, size, extra);
            truth_end(0, 1);
        }
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
