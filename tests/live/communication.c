/* Every rank sends its whole field to all others each step: what moves grows with the square of the
 * ranks, what is computed does not. */
/* TRUTH: category=communication ranks=all waits=none cost=? gain=? */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 12000000, FIELD = 1 << 17, MOST = 16 };

static double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    static double field[FIELD], all[FIELD * MOST];
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = truth_defect(rank) ? FIELD : FIELD / 64 / size;
    for (int step = 0; step < STEPS; step++) {
        x = compute(x, WORK / size);
        field[step] = x;
        MPI_Allgather(field, count, MPI_DOUBLE, all, count, MPI_DOUBLE, /* CAUSE */
                      MPI_COMM_WORLD);
        x += all[step];
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
