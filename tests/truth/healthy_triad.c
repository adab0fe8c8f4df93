/* Balanced, and bound by nothing but memory: three arrays that no cache holds. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60, CELLS = 12 << 20 };

static double triad(double *a, const double *b, const double *c, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 0.5 * c[i];
    return a[n / 2];
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = CELLS / size;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b), *c = calloc(n, sizeof *c);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = c[i] = i;
    for (int step = 0; step < STEPS; step++) {
        x = triad(a, b, c, n);
        double *swap = a;
        a = b;
        b = swap;
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", sum);
    free(a);
    free(b);
    free(c);
    MPI_Finalize();
    return 0;
}
