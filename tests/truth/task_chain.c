/* Four threads of each rank work on rows in tasks. Each task of a row needs the one before it, and
 * in one row one of them takes long. */
/* TRUTH: category=serial ranks=all waits=none cost=? gain=? flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 40, ROWS = 4, PIECES = 4, PART = 600000, LONG = 8 };

static double part(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double whole(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999997 + 3e-8;
    return x;
}

static double sweep(double x, int size, bool defect)
{
    double rows[ROWS] = {x, x, x, x};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int piece = 0; piece < PIECES; piece++)
        for (int r = 0; r < ROWS; r++) {
            double *row = &rows[r];
            if (defect && r == 1 && piece == 2) {
#pragma omp task depend(inout : rows[r]) /* CAUSE */
                *row = whole(*row, LONG * (PART / size));
            } else {
#pragma omp task depend(inout : rows[r])
                *row = part(*row, PART / size);
            }
        }
    return rows[0] + rows[1] + rows[2] + rows[3];
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        sum = sweep(1 + all * 1e-12, size, defect);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    truth_add(0, 0.001); /* what it costs the run with the defect off says */
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
