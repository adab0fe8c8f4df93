/* An adaptive quadrature that refines deeper on the first rank. */
/* TRUTH: category=imbalance ranks=0 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 200 };

static double leaf(double a, double b)
{
    double s = 0;
    for (int i = 0; i < 4000; i++) /* CAUSE */
        s = s * 0.999 + (a + b) * 1e-3;
    return s;
}

static double refine(double a, double b, int depth)
{
    double middle = 0.5 * (a + b);
    if (depth == 0)
        return leaf(a, b);
    return refine(a, middle, depth - 1) + refine(middle, b, depth - 1);
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        bool deep = defect && rank == 0;
        truth_begin();
        double x = refine(rank, rank + 1, deep ? 9 : 7);
        truth_end(0, deep ? 0.75 : 0);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
