/* Ranks with OpenMP threads. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, threads = 0;
    double x = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
#pragma omp parallel reduction(+ : x, threads)
        threads++;
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("threads %d\n", threads / 10);
    MPI_Finalize();
    return 0;
}
