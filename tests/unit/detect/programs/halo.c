/* A loop of computation and communication; test_ppg.c refers to its functions and lines. */
#include "mpi.h"

static double cells[1000];

__attribute__((noinline)) static void relax(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 1; i < 999; i++)
            cells[i] = 0.5 * (cells[i - 1] + cells[i + 1]);
}

__attribute__((noinline)) static double norm(void)
{
    double sum = 0, all;
    for (int i = 0; i < 1000; i++)
        sum += cells[i] * cells[i];
    MPI_Allreduce(&sum, &all, 1);
    return all;
}

__attribute__((noinline)) static void refine(int depth)
{
    if (depth > 0)
        refine(depth - 1);
    MPI_Allreduce(cells, cells, depth);
}

int main(int argc, char **argv)
{
    int rank;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(0, &rank);
    for (int step = 0; step < 10; step++) {
        relax(step);
        if (rank % 2)
            MPI_Send(cells, 1, rank - 1);
        else
            MPI_Recv(cells, 1, rank + 1);
        sum += norm();
    }
    refine(3);
    MPI_Finalize();
    return sum > 0;
}
