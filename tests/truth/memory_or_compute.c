/* Two loops between the same two MPI calls take about the same time, one bound by memory, one by
 * arithmetic. On one rank the one that is bound by memory takes three times as long. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#define _GNU_SOURCE
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* CELLS: more than the first cache holds, and the second one those of two ranks; a hop then takes a
 * third longer than an iteration. */
enum { STEPS = 50, HOPS = 2000000, ITERATIONS = HOPS / 3 * 4 };
enum { CELLS = 1 << 15, STRIDE = 4099, HUGE_PAGE = 2 << 20 };

static int *next;

/* In one huge page, where there are any: scattered over small ones, what collides in a cache is
 * another matter on each rank, and the loop up to a third slower on one than on the next. */
static int *make_cells(void)
{
    int *cells = aligned_alloc(HUGE_PAGE, HUGE_PAGE);
    madvise(cells, HUGE_PAGE, MADV_HUGEPAGE);
    for (int i = 0; i < CELLS; i++)
        cells[i] = (int)(((long)i + STRIDE * 17L) % CELLS);
    return cells;
}

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
    next = make_cells(); /* before MPI: to find such a page takes the system some ms now and then */
    at = follow(at, CELLS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    int hops = HOPS * 2 / size, count = ITERATIONS * 2 / size;
    bool more = defect && rank == 1;
    for (int step = 0; step < STEPS; step++) {
        x = iterate(x, count);
        at = follow(at, hops);
        double times = truth_times(more, 3, step, STEPS);
        truth_begin();
        at = follow(at, (int)(hops * (times - 1)));
        truth_end(0, 1);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size + at * 1e-20;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
