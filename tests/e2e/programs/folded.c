/* Functions of the same machine code: --icf=all makes one of them. */
#include <mpi.h>

double values[1000];

__attribute__((noinline)) double first(int n)
{
    double sum = 1;
    for (int i = 0; i < n; i++) /* FIRST loop */
        sum += values[i % 1000] / sum;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* FIRST MPI */
    return sum;
}

__attribute__((noinline)) double second(int n)
{
    double sum = 1;

    for (int i = 0; i < n; i++) /* SECOND loop */
        sum += values[i % 1000] / sum;

    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* SECOND MPI */
    return sum;
}

int main(int argc, char **argv)
{
    double sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        sum += first(20000);
        sum += second(rank ? 10000000 : 20000); /* the cause */
    }
    MPI_Finalize();
    return sum > 0 ? 0 : 1;
}
