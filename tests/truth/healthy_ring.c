/* A balanced ring shift, as in a systolic n-body code: no collectives in the main loop. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 20, BODIES = 6400, MOST = 3200 };

static double forces(const double *mine, const double *other, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += 1 / (1 + (mine[i] - other[j]) * (mine[i] - other[j]));
    return sum;
}

int main(int argc, char **argv)
{
    static double mine[MOST], travelling[MOST];
    int rank, size;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = BODIES / size, left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < n; i++)
        mine[i] = travelling[i] = rank + (double)i / n;
    for (int step = 0; step < STEPS * size; step++) {
        sum += forces(mine, travelling, n);
        MPI_Sendrecv_replace(travelling, n, MPI_DOUBLE, right, 0, left, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
