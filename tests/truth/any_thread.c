/* Whichever thread of a rank's team comes first takes part in the sum of all ranks; one rank's loop
 * is longer than the others'. */
/* TRUTH: category=imbalance ranks=middle waits=none cost=? flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { STEPS = 60, CELLS = 256, WORK = 12000, MORE = 3 };

static double cells[CELLS];

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void advance_all(int count)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < CELLS; i++)
        cells[i] = advance(cells[i], count);
}

/* The first thread measures its half. */
static void advance_measured(int size, bool more, int step)
{
    double times = truth_times(more, MORE, step, STEPS);
    if (!omp_get_thread_num())
        truth_begin();
    advance_all((int)(times * WORK / size));
    if (!omp_get_thread_num())
        truth_end(0, 1 - 1 / times);
}

static void run(int size, bool more, double *all)
{
#pragma omp parallel num_threads(2)
    for (int step = 0; step < STEPS; step++) {
        advance_measured(size, more, step);
#pragma omp barrier
#pragma omp single
        MPI_Allreduce(&cells[step], all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run(size, truth_defect(rank) && rank == size / 2, &all);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
