/* Neighbours exchange messages, nobody else meets; the slow rank is drawn anew in every step. A
 * rank may be ahead of those further away, so the run is longer than its slowest ranks' sums, and
 * shorter than all steps' slowest ranks one after the other. */
/* TRUTH: category=imbalance ranks=all waits=late-sender cost=? gain=? fixed=yes */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 1000, WORK = 800000 };

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double exchange(double x, int left, int right)
{
    double from[2] = {0};
    MPI_Request requests[4];
    MPI_Irecv(&from[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&x, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    return (x + from[0] + from[1]) / 3;
}

int main(int argc, char **argv)
{
    int rank, size;
    unsigned dice = 1;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        dice = dice * 1664525u + 1013904223u; /* the same on all ranks */
        bool slow = defect && (dice >> 16) % (unsigned)size == (unsigned)rank;
        double times = truth_times(slow, 4, step, STEPS);
        truth_begin();
        x = relax(x, (int)(WORK / size * times));
        truth_end(0, 1 - 1 / times);
        x = exchange(x, (rank + size - 1) % size, (rank + 1) % size);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
