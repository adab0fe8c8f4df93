/* Two threads of each rank exchange with their counterparts on both sides, by tags of their own;
 * the second thread of one rank takes longer for each of its steps. */
/* TRUTH: category=imbalance ranks=middle waits=none cost=? flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 100, WORK = 1600000, MORE = 3 };

static int rank, size;
static bool more;

static double relax(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double correct(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double exchange(int thread, double out)
{
    double in = 0;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, thread, &in, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
}

static void *second(void *sum)
{
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, MORE, step, STEPS);
        if (more)
            truth_begin();
        double x = correct(step, (int)(times * WORK / size));
        if (more)
            truth_end(0, 1 - 1 / times);
        *(double *)sum += exchange(1, x);
    }
    return sum;
}

static double first(void)
{
    double sum = 0;
    for (int step = 0; step < STEPS; step++)
        sum += exchange(0, relax(step, WORK / size));
    return sum;
}

int main(int argc, char **argv)
{
    int level;
    double sums[2] = {0}, all = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    more = truth_defect(rank) && rank == size / 2;
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, second, &sums[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    sums[0] = first();
    pthread_join(thread, NULL);
    sums[0] += sums[1];
    MPI_Reduce(sums, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
