/* A thread of each rank receives what its neighbour sends and hands it over by a condition
 * variable; the first thread computes, sends and takes what has come. One rank computes for longer.
 */
/* TRUTH: category=imbalance ranks=middle waits=none cost=? flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 100, WORK = 3200000, MORE = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static double values[STEPS];
static int received, rank, size;

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void hand_over(double value)
{
    pthread_mutex_lock(&mutex);
    values[received++] = value;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static double take(int step)
{
    pthread_mutex_lock(&mutex);
    while (received <= step)
        pthread_cond_wait(&changed, &mutex);
    double value = values[step];
    pthread_mutex_unlock(&mutex);
    return value;
}

static void *receive(void *none)
{
    for (int step = 0; step < STEPS; step++) {
        double value = 0;
        MPI_Recv(&value, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        hand_over(value);
    }
    return none;
}

static double compute(bool more)
{
    double x = 1;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, MORE, step, STEPS);
        truth_begin();
        x = advance(x, (int)(times * WORK / size));
        truth_end(0, 1 - 1 / times);
        MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
        x = x * 0.5 + take(step) * 0.5;
    }
    return x;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == size / 2;
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, receive, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    double all = 0, x = compute(more);
    pthread_join(thread, NULL);
    MPI_Reduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
