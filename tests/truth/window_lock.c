/* Each rank adds its part to a table of rank 0, and has the table to itself while it works the part
 * out: the others wait for the lock. */
/* TRUTH: category=serial ranks=all waits=lock-contention cost=? gain=(P-1)*total */
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

static double work_out(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double add_part(double x, int count, bool locked, MPI_Win table)
{
    double part = x;
    if (locked)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, table);
    truth_begin();
    part = work_out(part, count);
    truth_end(0, 1);
    if (!locked)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, table);
    MPI_Accumulate(&part, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, table);
    MPI_Win_unlock(0, table);
    return part;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0, *table;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    *table = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = own(x, WORK / size);
        x += 1e-9 * add_part(x, PART / size, defect, window);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x += 1e-9 * sum;
    }
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
