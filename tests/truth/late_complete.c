/* Rows go to the neighbour in two parts, and the second is worked out while the window is open: on
 * the last rank that takes too long, so that its neighbour waits for MPI_Win_complete. */
/* TRUTH: category=imbalance ranks=last waits=late-complete cost=? gain=P*worst */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 80, WORK = 3000000, INSIDE = 1000000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double work_out(double x, int count)
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

static double put_parts(double x, double times, int size, int to, MPI_Win window)
{
    double second;
    MPI_Put(&x, 1, MPI_DOUBLE, to, 0, 1, MPI_DOUBLE, window);
    truth_begin();
    second = work_out(x, (int)(times * INSIDE / size));
    truth_end(0, 1 - 1 / times);
    MPI_Put(&second, 1, MPI_DOUBLE, to, 1, 1, MPI_DOUBLE, window);
    return second;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, *ghost;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof *ghost, sizeof *ghost, MPI_INFO_NULL, MPI_COMM_WORLD, &ghost,
                     &window);
    MPI_Group origins = only((rank + size - 1) % size), targets = only((rank + 1) % size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(defect && rank == size - 1, 3, step, STEPS);
        x = relax(x, WORK / size);
        MPI_Win_post(origins, 0, window);
        MPI_Win_start(targets, 0, window);
        x += 1e-9 * put_parts(x, times, size, (rank + 1) % size, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        x = (x + ghost[0] + ghost[1]) / 3;
    }
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
