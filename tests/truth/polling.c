/* Steps end in a sum that nobody waits for: ranks look again and again whether it is there. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 400, WORK = 1200000 };

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double add_up(double x, int size)
{
    MPI_Request request;
    double sum;
    int done = 0;
    MPI_Iallreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return sum / size;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, 3, step, STEPS);
        truth_begin();
        x = advance(x, (int)(WORK / size * times));
        truth_end(0, 1 - 1 / times);
        x = add_up(x, size);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
