/* Steps of sixteen short rounds and a long one behind them; in the short ones rank 1 computes
 * three times as long. The call after each round is followed by the next one or by what is long. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, ROUNDS = 16, SHORT = 400000, LONG = 12000000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double assemble(double x, int count)
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
    int slow = truth_defect(rank) && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        for (int round = 0; round < ROUNDS; round++) {
            double times = truth_times(slow, 3, step, STEPS);
            truth_begin();
            x = relax(x, (int)(SHORT / size * times));
            truth_end(0, 1 - 1 / times);
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            x = sum / size;
        }
        x = assemble(x, LONG / size);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
