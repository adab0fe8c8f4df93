/* Weak scaling: each rank has its own share of constant size, but looks through a list of all
 * ranks. */
/* TRUTH: category=nonscalable ranks=all waits=none cost=total-total*2/P gain=total-total*2/P */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 40, SHARE = 1200000, LIST = 250000 };

static double own_share(double x)
{
    for (int i = 0; i < SHARE; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double search(double x, int listed)
{
    for (int i = 0; i < listed * LIST; i++) /* CAUSE */
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
        x = own_share(x);
        truth_begin();
        x = search(x, defect ? size : 2);
        truth_end(0, defect);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
