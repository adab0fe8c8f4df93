/* Rows are shared among two threads; on one rank those of the second thread are thrice as long. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn flags=-fopenmp,-lm */
#include "truth.h"
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { STEPS = 40, ROWS = 64, LENGTH = 80000 };

static double row(double x, int length)
{
    for (int i = 0; i < length; i++) /* CAUSE */
        x = x * 0.9999 + sqrt(x + 1.5) * 1e-5;
    return x;
}

static double rows(int first, int end, int length)
{
    double sum = 0;
    for (int r = first; r < end; r++)
        sum += row(r, length);
    return sum;
}

static double sweep(int length, double times)
{
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int half = ROWS / 2, second = omp_get_thread_num();
        if (second)
            truth_begin();
        sum += rows(second * half, (second + 1) * half, (int)(second ? length * times : length));
        if (second)
            truth_end(0, 1 - 1 / times);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        sum = sweep(LENGTH / size, truth_times(more, 3, step, STEPS)) + all * 1e-12;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
