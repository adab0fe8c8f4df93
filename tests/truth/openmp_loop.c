/* Each rank shares its loop among two threads; the last rank has three times as many particles. */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { STEPS = 50, CELLS = 5000000 };

static double field(double x, int count)
{
    double sum = 0;
#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : sum)
    for (int half = 0; half < 2; half++) {
        double y = x;
        for (int i = 0; i < count / 2; i++)
            y = y * 0.9999999 + 1e-8;
        sum += y;
    }
    return sum / 2;
}

/* Timed by the first thread: its share, without its wait for the other one. */
static double push(double x, int blocks, int count, double times)
{
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        bool first = !omp_get_thread_num();
        if (first)
            truth_begin();
#pragma omp for schedule(static) nowait
        for (int block = 0; block < blocks; block++) {
            double y = x;
            for (int i = 0; i < count; i++) /* CAUSE */
                y = y * 0.9999998 + 2e-8;
            sum += y;
        }
        if (first)
            truth_end(0, 1 - 1 / times);
    }
    return sum / blocks;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    bool more = defect && rank == size - 1;
    for (int step = 0; step < STEPS; step++) {
        x = field(x, CELLS / size);
        double times = truth_times(more, 3, step, STEPS);
        x = push(x, 4, (int)(CELLS / 4 / size * times), times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
