/* Each rank's first thread works on pieces that a second one makes, with C11's threads, and posts
 * places for more: both have the same to do. */
/* TRUTH: none flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

enum { STEPS = 30, PIECES = 32, PLACES = 4, WORK = 250000 };

static mtx_t mutex;
static cnd_t changed;
static sem_t places;
static int made, amount;

static double make(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static int produce(void *sum)
{
    for (int i = 0; i < STEPS * PIECES; i++) {
        sem_wait(&places);
        *(double *)sum += make(1, amount);
        mtx_lock(&mutex);
        made++;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
    return 0;
}

static double use(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double step(double x)
{
    for (int i = 0; i < PIECES; i++) {
        mtx_lock(&mutex);
        while (!made)
            cnd_wait(&changed, &mutex);
        made--;
        mtx_unlock(&mutex);
        sem_post(&places);
        x = use(x, amount);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double x = 1, all = 0, sum = 0;
    thrd_t producer;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    amount = WORK / size;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    sem_init(&places, 0, PLACES);
    if (thrd_create(&producer, produce, &sum) != thrd_success)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < STEPS; i++) {
        x = step(x);
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    thrd_join(producer, NULL);
    if (rank == 0)
        printf("%g %d\n", all, sum > 0);
    MPI_Finalize();
    return 0;
}
