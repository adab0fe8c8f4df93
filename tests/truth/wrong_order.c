/* Rank 0 receives in the order of ranks, and so waits for the slow rank 1 while the messages of
 * the others are there already. */
/* TRUTH: category=imbalance ranks=1 waits=wrong-order */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, WORK = 5600000, MESH = 1200000 };

static double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double remesh(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = compute(x, WORK / size);
        int extra = truth_extra(defect && rank == 1, MESH, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = remesh(x, extra);
            truth_end(0, 1);
        }
        if (rank != 0)
            MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        for (int from = 1; rank == 0 && from < size; from++) {
            MPI_Recv(&y, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            x += y / size;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
