/* Steps of twelve rounds, each with another root, and something behind them that takes rank 2 four
 * times as long. Both are computed after the same call; the next one tells them apart. */
/* TRUTH: category=imbalance ranks=2 waits=late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 100, ROUNDS = 12, ROUND = 800000, TAIL = 3000000 };

static double smooth(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double check(double x, int count)
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
    int slow = truth_defect(rank) && rank == 2;
    for (int step = 0; step < STEPS; step++) {
        for (int round = 0; round < ROUNDS; round++) {
            x = smooth(x, ROUND / size);
            MPI_Bcast(&x, 1, MPI_DOUBLE, round % size, MPI_COMM_WORLD);
        }
        double times = truth_times(slow, 4, step, STEPS);
        truth_begin();
        x = check(x, (int)(TAIL / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
