/* Two loops between the same two MPI calls take about the same time, one bound by memory, one by
 * arithmetic. On one rank the one that is bound by memory takes three times as long. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

/* CELLS: more than the first cache holds; a hop then takes as long as three or four iterations. */
enum { STEPS = 50, HOPS = 1000000, ITERATIONS = 7 * HOPS / 2, CELLS = 1 << 17, STRIDE = 4099 };

static int next[CELLS];

static int follow(int at, int hops)
{
    for (int i = 0; i < hops; i++) /* CAUSE */
        at = next[at];
    return at;
}

static double iterate(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    int at = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int i = 0; i < CELLS; i++)
        next[i] = (int)(((long)i + STRIDE * 17L) % CELLS);
    follow(0, CELLS);
    int hops = HOPS * 2 / size, count = ITERATIONS * 2 / size;
    bool more = defect && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        x = iterate(x, count);
        at = follow(at, hops);
        truth_begin();
        at = follow(at, more ? 2 * hops : 0);
        truth_end(0, 1);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size + at * 1e-20;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
