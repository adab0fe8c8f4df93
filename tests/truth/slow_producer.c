/* Each rank's first thread works on pieces that a second one makes, and waits for them behind a
 * condition variable: to make one takes three times as long as to work on it. */
/* TRUTH: category=imbalance ranks=all waits=none cost=? gain=P*worst/2 flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 40, PIECES = 16, WORK = 300000, MORE = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static double pieces[PIECES];
static int made, wanted, ended, amount;
static bool slow;

static double make(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double use(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static bool is_wanted(void)
{
    pthread_mutex_lock(&mutex);
    while (made == wanted && !ended)
        pthread_cond_wait(&changed, &mutex);
    bool goes_on = !ended;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}

static void *produce(void *none)
{
    while (is_wanted()) {
        truth_begin();
        double piece = make(1, slow ? MORE * amount : amount);
        truth_end(0, slow ? 1 - 1.0 / MORE : 0); /* half of it is the others', if they share it */
        pthread_mutex_lock(&mutex);
        pieces[made++ % PIECES] = piece;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return none;
}

static void want(int n)
{
    pthread_mutex_lock(&mutex);
    wanted += n;
    ended = !n;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static double get(int number)
{
    pthread_mutex_lock(&mutex);
    while (made <= number)
        pthread_cond_wait(&changed, &mutex);
    double piece = pieces[number % PIECES];
    pthread_mutex_unlock(&mutex);
    return piece;
}

static double consume(int step)
{
    double sum = 0;
    want(PIECES);
    for (int piece = 0; piece < PIECES; piece++)
        sum += use(get(step * PIECES + piece), amount);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double sum, all = 0;
    pthread_t producer;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    amount = WORK / size;
    slow = truth_defect(rank);
    if (pthread_create(&producer, NULL, produce, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < STEPS; step++) {
        sum = consume(step);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    want(0);
    pthread_join(producer, NULL);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
