/* A 1-D halo exchange whose edge ranks do more boundary work. */
/* TRUTH: category=imbalance ranks=0,last waits=late-sender */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1 << 20, STEPS = 150, BOUNDARY = 1200000 };

static void exchange(double *u, int n, int rank, int size)
{
    MPI_Request request[4];
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&u[n], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static double boundary(double value, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        value = value * 0.999999 + 1e-7;
    return value;
}

static void relax(double *u, double *v, int n)
{
    for (int i = 1; i <= n; i++)
        v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]) / (1 + u[i] * u[i]);
    for (int i = 1; i <= n; i++)
        u[i] = v[i];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    int n = CELLS / size;
    double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v), total = 0;
    for (int i = 1; i <= n; i++)
        u[i] = (double)(rank * n + i) / CELLS;
    for (int step = 0; step < STEPS; step++) {
        exchange(u, n, rank, size);
        int extra = truth_extra(defect, BOUNDARY, n, step, STEPS);
        truth_begin();
        if (rank == 0)
            u[0] = boundary(u[1], extra);
        if (rank == size - 1)
            u[n + 1] = boundary(u[n], extra);
        truth_end(0, 1);
        relax(u, v, n);
    }
    MPI_Allreduce(&u[1], &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", total);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
