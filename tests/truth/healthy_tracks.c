/* Two threads of each rank exchange with their counterparts, the second with less to do and five
 * times as often, and all ranks alike: nothing is wrong. */
/* TRUTH: none flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 60, OFTEN = 5, WORK = 4000000, LESS = 3000000 };

static int rank, size;

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double exchange(int thread, double out)
{
    double in = 0;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, thread, &in, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
}

static double go_on(int thread, int steps, int count)
{
    double sum = 0;
    for (int step = 0; step < steps; step++)
        sum += exchange(thread, advance(step, count));
    return sum;
}

static void *second(void *sum)
{
    *(double *)sum = go_on(1, STEPS * OFTEN, LESS / OFTEN / size);
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
    (void)truth_defect(rank);
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, second, &sums[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    sums[0] = go_on(0, STEPS, WORK / size);
    pthread_join(thread, NULL);
    sums[0] += sums[1];
    MPI_Reduce(sums, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
