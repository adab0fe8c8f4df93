/* The owner of the panel factorises it far longer than the others update theirs. */
/* TRUTH: category=imbalance ranks=1 waits=late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, UPDATE = 5600000 };

static double factorise(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double update(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, panel;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    bool more = defect && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, 6, step, STEPS);
        truth_begin();
        panel = factorise(x, (int)(UPDATE / 4 / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Bcast(&panel, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        x = update(x + panel, UPDATE / size);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
