/* The delay of the last rank's loop reaches the first through three hops of non-blocking
 * messages and ends in a reduction (as in Zeus-MP). */
/* TRUTH: category=imbalance ranks=last waits=late-sender */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 120, WORK = 8000000, EXTRA = 1000000 };

static double smooth(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double inflow(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999997 + 3e-8;
    return x;
}

static double pass_down(double x, int rank, int size, int tag)
{
    MPI_Request request[2];
    double got = x;
    int from = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, to = rank ? rank - 1 : MPI_PROC_NULL;
    MPI_Irecv(&got, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&x, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    return 0.5 * (x + got);
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        x = smooth(x, WORK / size);
        int extra = truth_extra(defect && rank == size - 1, EXTRA, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = inflow(x, extra);
            truth_end(0, 1);
        }
        for (int hop = 0; hop < 3; hop++)
            x = pass_down(x, rank, size, hop);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
