/* Odd ranks sort before they receive; their even neighbours cannot finish the synchronous send. */
/* TRUTH: category=imbalance ranks=odd waits=late-receiver cost=total */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, WORK = 5600000, SORT = 1000000 };

static double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double sort(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = compute(x, WORK / size);
        if (rank % 2 == 0) {
            MPI_Ssend(&x, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
            continue;
        }
        int extra = truth_extra(defect, SORT, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = sort(x, extra);
            truth_end(0, 1);
        }
        MPI_Recv(&y, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = 0.5 * (x + y);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
