/* Two models side by side, each on half of the ranks and in a loop of its own; the one takes longer
 * than the other in each step. */
/* TRUTH: category=imbalance ranks=upper-half waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, CELLS = 3000000 };

static double ocean(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double atmosphere(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999997 + 3e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool upper = rank >= size / 2, defect = truth_defect(rank);
    int members = upper ? size - size / 2 : size / 2;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(upper && defect, 1.4, step, STEPS);
        truth_begin();
        x = upper ? atmosphere(x, (int)(CELLS / members * times)) : ocean(x, CELLS / members);
        if (upper)
            truth_end(0, 1 - 1 / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
