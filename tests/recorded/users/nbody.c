/* Bodies in a field, divided among ranks; rank 0 pushes its own 2.5 times as often. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double push(double *x, int n, int often)
{
    double sum = 0;
    for (int k = 0; k < often; k++)
        for (int i = 0; i < n; i++) {
            x[i] = x[i] + 0.001 * sin(x[i] * 3.1);
            sum += x[i];
        }
    return sum;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = (argc > 1 ? atoi(argv[1]) : 600000) / size;
    double *x = malloc(n * sizeof *x), sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = i * 0.01;
    for (int step = 0; step < 30; step++) {
        double mine = push(x, n, rank == 0 ? 5 : 2);
        MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %g\n", sum);
    MPI_Finalize();
    free(x);
}
