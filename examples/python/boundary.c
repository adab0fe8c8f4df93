/* Steps of a fluid on a line of ranks. The ranks at both ends also compute values at the boundary;
 * their neighbours wait for them in the exchange, the others for these, and all in the reduction of
 * the time step: the pattern of Zeus-MP in "ScalAna" (Jin et al., SC'20, section VI-D). */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 60, CELLS = 1600000, BOUNDARY = 500000, SWEEPS = 3 };

static double interior(double x, int cells)
{
    for (int i = 0; i < cells; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double boundary(double x, int cells)
{
    for (int i = 0; i < cells; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double exchange(double mine, int left, int right)
{
    MPI_Request requests[4];
    double from[2] = {mine, mine};
    MPI_Irecv(&from[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&mine, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&mine, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    return (from[0] + mine + from[1]) / 3;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, least = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < STEPS; step++) {
        x = interior(x, CELLS / size);
        if (left == MPI_PROC_NULL || right == MPI_PROC_NULL)
            x = boundary(x, BOUNDARY);
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            x = exchange(x, left, right);
        MPI_Allreduce(&x, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("least %g\n", least);
    MPI_Finalize();
    return 0;
}
