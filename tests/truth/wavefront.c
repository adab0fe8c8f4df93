/* A 2-D wavefront: planes are swept from the first corner of the ranks to the last. One rank in
 * the middle has sources to add in every plane. */
/* TRUTH: category=imbalance ranks=2 waits=late-sender cost=? gain=? */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { SWEEPS = 12, PLANES = 20, WORK = 1600000, SOURCES = 300000 };

static double cells(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double sources(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
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
    bool defect = truth_defect(rank);
    struct place place = place_of(rank, size);
    bool more = defect && rank == (size > 2 ? 2 : 1);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int plane = 0; plane < PLANES; plane++) {
            x = cells(x + inflow(&place), WORK / size);
            int extra = truth_extra(more, SOURCES, WORK / size, plane, PLANES);
            if (extra) {
                truth_begin();
                x = sources(x, extra);
                truth_end(0, 1);
            }
            outflow(&place, x);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
