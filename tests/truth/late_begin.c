/* Rows are swept from rank to rank in blocks that are far too large: in each sweep a rank begins
 * when the one before it has done its first. */
/* TRUTH: category=serial ranks=all waits=late-sender cost=? gain=(P-1)*total/4 */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { SWEEPS = 30, WORK = 3000000, BLOCKS = 4, FINE = 64, PART = 8000000 };

static double own(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double sweep(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double pass(double edge, int rank, int size, int blocks)
{
    for (int block = 0; block < blocks; block++) {
        if (rank > 0)
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        truth_begin();
        edge = sweep(edge, PART / size / blocks);
        truth_end(0, 1);
        if (rank < size - 1)
            MPI_Send(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    }
    return edge;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < SWEEPS; step++) {
        x = own(x, WORK / size);
        double edge = pass(step, rank, size, defect ? BLOCKS : FINE);
        MPI_Allreduce(&edge, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x += 1e-9 * sum;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
