/* Computation after calls that no other rank takes part in: in every step the last rank works
 * longer after MPI_Comm_rank, and rank 0 reads its input before the run's first collective. */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn */
/* TRUTH: category=serial ranks=0 waits=late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 8000000, EXTRA = 1800000, INPUT = 60000000 };

static double chemistry(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double boundary(double x, bool defect)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    truth_begin();
    for (int i = 0; defect && rank == size - 1 && i < EXTRA; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    truth_end(0, 1);
    return x;
}

static double read_input(double x)
{
    for (int i = 0; i < INPUT; i++) /* CAUSE */
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
    bool defect = truth_defect(rank);
    truth_begin();
    if (defect && rank == 0)
        x = read_input(x);
    truth_end(1, 1);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int step = 0; step < STEPS; step++) {
        x = boundary(chemistry(x, WORK / size), defect);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
