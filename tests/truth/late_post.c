/* A row goes to the neighbour by MPI_Put, who opens it for that with MPI_Win_post: rank 0 is late,
 * since it has more to relax before. */
/* TRUTH: category=imbalance ranks=0 waits=late-post,late-complete cost=? gain=P*worst */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, WORK = 3000000, EXTRA = 2000000 };

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

static MPI_Group only(int rank)
{
    MPI_Group all, one;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &rank, &one);
    MPI_Group_free(&all);
    return one;
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
    MPI_Group origins = only((rank + size - 1) % size), targets = only((rank + 1) % size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = relax(x, WORK / size);
        int extra = truth_extra(defect && rank == 0, EXTRA / size, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = refine(x, extra);
            truth_end(0, 1);
        }
        MPI_Win_post(origins, 0, window);
        MPI_Win_start(targets, 0, window);
        MPI_Put(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        x = (x + *ghost) / 2;
    }
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
