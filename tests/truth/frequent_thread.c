/* The second thread of each rank exchanges ten times as often as the first, which computes for
 * longer on one rank: the second ones need not wait for that. */
/* TRUTH: category=imbalance ranks=last waits=none cost=? flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 60, OFTEN = 10, WORK = 3200000, MORE = 3 };

static int rank, size;

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double smooth(double x, int count)
{
    for (int i = 0; i < count; i++)
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

static void *often(void *sum)
{
    for (int step = 0; step < STEPS * OFTEN; step++)
        *(double *)sum += exchange(1, smooth(step, WORK / OFTEN / size));
    return sum;
}

static double seldom(bool more)
{
    double sum = 0;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, MORE, step, STEPS);
        truth_begin();
        double x = advance(step, (int)(times * WORK / size));
        truth_end(0, 1 - 1 / times);
        sum += exchange(0, x);
    }
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
    bool more = truth_defect(rank) && rank == size - 1;
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, often, &sums[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    sums[0] = seldom(more);
    pthread_join(thread, NULL);
    sums[0] += sums[1];
    MPI_Reduce(sums, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
