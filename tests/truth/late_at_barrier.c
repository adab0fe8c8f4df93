/* Each rank has two threads that compute in phases, with a barrier of POSIX threads behind each:
 * the second one has three times as much. */
/* TRUTH: category=imbalance ranks=all waits=none cost=? gain=P*worst/2 flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 30, PHASES = 10, WORK = 500000, MORE = 3 };

static pthread_barrier_t barrier;
static int amount, times;
static double far_sum;

static double near(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double far(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void *second(void *none)
{
    for (int phase = 0; phase < STEPS * PHASES; phase++) {
        truth_begin();
        far_sum += far(1, times * amount);
        truth_end(0, 1 - 1.0 / times);
        pthread_barrier_wait(&barrier);
    }
    return none;
}

static double first(double x)
{
    for (int phase = 0; phase < PHASES; phase++) {
        x = near(x, amount);
        pthread_barrier_wait(&barrier);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double x = 1, all = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    amount = WORK / size;
    times = truth_defect(rank) ? MORE : 1;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, second, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < STEPS; step++) {
        x = first(x);
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    pthread_join(thread, NULL);
    if (rank == 0)
        printf("%g %d\n", all, far_sum > 0);
    MPI_Finalize();
    return 0;
}
