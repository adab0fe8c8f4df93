/* Four threads of each rank work on rows in tasks: each task of a row needs the one before it, and
 * all rows have as much. */
/* TRUTH: none flags=-fopenmp */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 40, ROWS = 4, PIECES = 6, PART = 600000 };

static double part(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double sweep(double x, int size)
{
    double rows[ROWS] = {x, x, x, x};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int piece = 0; piece < PIECES; piece++)
        for (int r = 0; r < ROWS; r++) {
            double *row = &rows[r];
#pragma omp task depend(inout : rows[r])
            *row = part(*row, PART / size);
        }
    return rows[0] + rows[1] + rows[2] + rows[3];
}

int main(int argc, char **argv)
{
    int size, rank, level;
    double sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < STEPS; step++) {
        sum = sweep(1 + all * 1e-12, size);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
