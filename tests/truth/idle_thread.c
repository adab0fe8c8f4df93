/* A rank waits for a file server in each step, beside a thread that has nothing to do. */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn flags=-pthread cost=? gain=? */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 60, CELLS = 4000000, ANSWER_NS = 10000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static bool over;

static void *write_back(void *nothing)
{
    pthread_mutex_lock(&lock);
    while (!over)
        pthread_cond_wait(&wanted, &lock);
    pthread_mutex_unlock(&lock);
    return nothing;
}

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double run(double x, int size, bool slow)
{
    const struct timespec answer = {0, ANSWER_NS};
    for (int step = 0; step < STEPS; step++) {
        double sum = 0;
        x = advance(x, CELLS / size);
        if (slow)
            nanosleep(&answer, NULL); /* CAUSE */
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (pthread_create(&thread, NULL, write_back, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    double x = run(1, size, truth_defect(rank) && rank == size - 1);
    pthread_mutex_lock(&lock);
    over = true;
    pthread_cond_signal(&wanted);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
