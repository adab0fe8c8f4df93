/* A pipeline whose second stage is the slowest. */
/* TRUTH: category=imbalance ranks=1 waits=late-sender */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { BLOCKS = 200, WORK = 400000, EXTRA = 900000 };

static double stage(double x)
{
    for (int i = 0; i < WORK; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double filter(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int block = 0; block < BLOCKS; block++) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = stage(x);
        int extra = truth_extra(defect && rank == 1, EXTRA, WORK, block, BLOCKS);
        if (extra) {
            truth_begin();
            x = filter(x, extra);
            truth_end(0, 1);
        }
        if (rank < size - 1)
            MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
