/* Rank 0 prepares each step alone, for three times as long as a rank's part of the step takes on
 * eight ranks; the others wait for its broadcast. */
/* TRUTH: category=serial ranks=0 waits=late-broadcast */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>

enum { STEPS = 150, WORK = 3200000, PREPARED = 1200000 };

static double prepare(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double advance(double x, int count)
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
    for (int step = 0; step < STEPS; step++) {
        if (defect && rank == 0) {
            truth_begin();
            x = prepare(x, PREPARED);
            truth_end(0, 1);
        }
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        double mine = advance(x, WORK / size);
        MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
