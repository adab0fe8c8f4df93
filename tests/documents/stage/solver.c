/* What the documents call ./solver: a loop in which the last rank has more to do, and a halo
 * exchange. */
#include <mpi.h>

#include <stdio.h>

static double work(long n)
{
    volatile double x = 1;
    for (long i = 0; i < n; i++)
        x = x * 1.0000001 + 0.0000001;
    return x;
}

static double step(MPI_Comm grid, int rank, int ranks)
{
    int left, right;
    double x = work(400000 / ranks), halo, sum;
    if (rank == ranks - 1)
        x += work(1200000); /* too much */
    MPI_Cart_shift(grid, 0, 1, &left, &right);
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, right, 0, &halo, 1, MPI_DOUBLE, left, 0, grid,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&halo, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks, periodic = 1;
    double sum = 0;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int i = 0; i < 20; i++)
        sum += step(grid, rank, ranks);
    if (!rank)
        printf("sum %g on %d ranks\n", sum, ranks);
    return MPI_Finalize();
}
