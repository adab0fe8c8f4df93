/* A balanced transpose: all-to-all between two sweeps. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1 << 20, STEPS = 40 };

static void sweep(double *a, int n)
{
    for (int pass = 0; pass < 4; pass++)
        for (int i = 1; i < n; i++)
            a[i] = 0.5 * (a[i] + a[i - 1] * 0.999);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = CELLS / size, block = n / size;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = (double)i / n;
    for (int step = 0; step < STEPS; step++) {
        sweep(a, n);
        MPI_Alltoall(a, block, MPI_DOUBLE, b, block, MPI_DOUBLE, MPI_COMM_WORLD);
        sweep(b, n);
        MPI_Alltoall(b, block, MPI_DOUBLE, a, block, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", a[n - 1]);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
