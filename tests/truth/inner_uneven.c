/* Two threads of each rank have teams of two inside, whose rows grow: the second half is more. */
/* TRUTH: category=imbalance ranks=all waits=none cost=? gain=? flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { STEPS = 40, ROWS = 16, OUTER = 2, EACH = 60000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double sweep_part(double x, int amount, bool growing)
{
    double sum = 0;
#pragma omp parallel for schedule(static) num_threads(2) reduction(+ : sum) /* CAUSE */
    for (int row = 0; row < ROWS; row++)
        sum += relax(x, growing ? 2 * row * amount / (ROWS - 1) : amount);
    return sum;
}

static double sweep(double x, int amount, bool growing)
{
    double sum = 0;
#pragma omp parallel num_threads(OUTER) reduction(+ : sum)
    sum += sweep_part(x, amount, growing);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_set_max_active_levels(2);
    bool growing = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        double sum = sweep(1 + all * 1e-12, 8 * EACH / size, growing);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    truth_add(0, 0.001); /* what it costs the run with the defect off says */
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
