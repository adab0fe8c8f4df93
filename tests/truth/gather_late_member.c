/* The last rank has most of the diagnostics to reduce; the first waits for it in a gather, and
 * the others for the first. */
/* TRUTH: category=imbalance ranks=last waits=early-reduce,late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, FIELD = 5600000, MOST = 64 };

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double diagnose(double x, int count)
{
    double moment = 0;
    for (int i = 0; i < count; i++) /* CAUSE */
        moment = moment * 0.9999998 + x * 2e-8;
    return moment;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, moment, all[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    bool more = defect && rank == size - 1;
    for (int step = 0; step < STEPS; step++) {
        x = advance(x, FIELD / size);
        double times = truth_times(more, 6, step, STEPS);
        truth_begin();
        moment = diagnose(x, (int)(FIELD / 4 / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Gather(&moment, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            moment = all[size - 1];
        MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x += moment;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
