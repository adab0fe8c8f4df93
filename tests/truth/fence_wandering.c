/* Ghost cells go round by MPI_Put; another rank is late for the fence in every step. */
/* TRUTH: category=imbalance ranks=all waits=wait-at-barrier cost=(P-1)*total gain=P*total fixed=yes
 */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 160, WORK = 2400000, EXTRA = 1200000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double refine(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, *ghost;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *ghost, sizeof *ghost, MPI_INFO_NULL, MPI_COMM_WORLD, &ghost, &window);
    bool defect = truth_defect(rank);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    for (int step = 0; step < STEPS; step++) {
        x = relax(x, WORK / size);
        int extra = truth_extra(defect && step % size == rank, EXTRA, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = refine(x, extra);
            truth_end(0, 1);
        }
        MPI_Put(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        x = (x + *ghost) / 2;
    }
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
