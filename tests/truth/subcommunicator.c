/* Rows reduce among themselves; one row has a slow member, the other rows do not notice until
 * the end of the step. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, WORK = 9000000, EXTRA = 3000000 };

static double solve(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double precondition(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    for (int step = 0; step < STEPS; step++) {
        x = solve(x, WORK / size);
        int extra = truth_extra(defect && rank == 1, EXTRA, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = precondition(x, extra);
            truth_end(0, 1);
        }
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, row);
        x = solve(sum / 2, WORK / 4 / size);
        if (step % 5 == 4)
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
