/* A sum is carried on from rank to rank: each waits for the one before it, and does its part then.
 */
/* TRUTH: category=serial ranks=all waits=late-sender cost=? gain=(P-1)*total */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 4000000, PART = 3000000 };

static double own(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double carry_on(double x, int count)
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
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        double carry = step;
        x = own(x, WORK / size);
        if (defect && rank > 0)
            MPI_Recv(&carry, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        truth_begin();
        carry = carry_on(carry, PART / size);
        truth_end(0, 1);
        if (defect && rank < size - 1)
            MPI_Send(&carry, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&carry, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x += 1e-9 * sum;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
