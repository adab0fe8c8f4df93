/* One rank solves more rows between the two transposes of a spectral step. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, ROWS = 7200000, BLOCK = 512, MOST = 64 };

static double transform(double x, int rows)
{
    for (int i = 0; i < rows; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double solve(double x, int rows)
{
    for (int i = 0; i < rows; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    static double out[BLOCK * MOST], in[BLOCK * MOST];
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    bool more = defect && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        x = transform(x, ROWS / size);
        MPI_Alltoall(out, BLOCK, MPI_DOUBLE, in, BLOCK, MPI_DOUBLE, MPI_COMM_WORLD);
        double times = truth_times(more, 3, step, STEPS);
        truth_begin();
        x = solve(x, (int)(ROWS / 2 / size * times));
        truth_end(0, 1 - 1 / times);
        out[step] = x;
        MPI_Alltoall(in, BLOCK, MPI_DOUBLE, out, BLOCK, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x + in[0]);
    MPI_Finalize();
    return 0;
}
