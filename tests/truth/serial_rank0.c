/* A section that only rank 0 executes while all wait for its broadcast. */
/* TRUTH: category=serial ranks=0 waits=late-broadcast */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 100, SERIAL = 2000000, PARALLEL = 240000000 };

static double refine(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double sweep(double x, int count)
{
    for (int i = 0; i < count; i++)
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
        int extra = truth_extra(defect && rank == 0, SERIAL, PARALLEL / STEPS / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = refine(x, extra);
            truth_end(0, 1);
        }
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        double mine = sweep(x, PARALLEL / STEPS / size * 2);
        MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
