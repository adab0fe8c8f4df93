/* A plugin that loops and communicates: rank 1 computes three times as much as the others. */
#include <mpi.h>

double work(int steps)
{
    int rank, size;
    double sum = 0, all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {                     /* STEPS */
        for (long i = 0; i < (rank == 1 ? 9000000 : 3000000); i++) /* UNEVEN */
            sum = sum * 0.999999 + 1e-6;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return all / size;
}
