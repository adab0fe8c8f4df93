/* The cause is in another file, which is part of the program. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn file=parts/chemistry.c */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, CELLS = 7200000 };

double react(double x, int count);

static double transport(double x, int count)
{
    for (int i = 0; i < count; i++)
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
    bool more = defect && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        x = transport(x, CELLS / size);
        double times = truth_times(more, 5, step, STEPS);
        truth_begin();
        x = react(x, (int)(CELLS / 4 / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
