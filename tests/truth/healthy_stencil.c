/* A balanced 2-D Jacobi solver, rows divided among the ranks, bound by memory. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 1024, NY = 1024, STEPS = 1200 };

static void exchange(double *u, int rows, int rank, int size)
{
    int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[NX], NX, MPI_DOUBLE, up, 0, &u[(rows + 1) * NX], NX, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[rows * NX], NX, MPI_DOUBLE, down, 1, &u[0], NX, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax(const double *u, double *v, int rows)
{
    double change = 0;
    for (int y = 1; y <= rows; y++) {
        for (int x = 1; x < NX - 1; x++) {
            const double *c = &u[y * NX + x];
            v[y * NX + x] = 0.25 * (c[-1] + c[1] + c[-NX] + c[NX]);
            change += (v[y * NX + x] - *c) * (v[y * NX + x] - *c);
        }
    }
    return change;
}

int main(int argc, char **argv)
{
    int rank, size;
    double change = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = NY / size;
    double *u = calloc((size_t)(rows + 2) * NX, sizeof *u);
    double *v = calloc((size_t)(rows + 2) * NX, sizeof *v);
    for (int i = 0; i < rows + 2; i++)
        u[i * NX] = v[i * NX] = 1;
    for (int step = 0; step < STEPS; step++) {
        exchange(u, rows, rank, size);
        change = relax(u, v, rows);
        double *swap = u;
        u = v;
        v = swap;
        if (step % 10 == 9)
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", all);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
