/* A balanced 2-D wavefront: filling and draining the pipeline is all it waits for. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>

enum { SWEEPS = 4, PLANES = 120, WORK = 1600000 };

static double cells(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

struct place {
    int west, east, north, south;
};

/* Two columns of ranks. */
static struct place place_of(int rank, int size)
{
    struct place p;
    p.west = rank % 2 ? rank - 1 : MPI_PROC_NULL;
    p.east = rank % 2 ? MPI_PROC_NULL : rank + 1;
    p.north = rank >= 2 ? rank - 2 : MPI_PROC_NULL;
    p.south = rank + 2 < size ? rank + 2 : MPI_PROC_NULL;
    return p;
}

static double inflow(const struct place *p)
{
    double west = 0, north = 0;
    MPI_Recv(&west, 1, MPI_DOUBLE, p->west, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&north, 1, MPI_DOUBLE, p->north, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0.5 * (west + north);
}

static void outflow(const struct place *p, double x)
{
    MPI_Send(&x, 1, MPI_DOUBLE, p->east, 0, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_DOUBLE, p->south, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct place place = place_of(rank, size);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int plane = 0; plane < PLANES; plane++) {
            x = cells(x + inflow(&place), WORK / size);
            outflow(&place, x);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
