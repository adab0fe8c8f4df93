/* Threads that allocate, lock and compute, for sanitizers to watch. What MPI writes it does not
 * look at: to a sanitizer of uninitialized memory that would be a fault of its own. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, STEPS = 6, PIECES = 100, BYTES = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

__attribute__((noinline)) double compute(long n)
{
    volatile double x = 1;
    for (long i = 0; i < n; i++)
        x = x * 1.0000001 + 1e-9;
    return x;
}

static void *work(void *share)
{
    for (long i = 0; i < PIECES; i++) {
        char *page = malloc(BYTES), *copy;
        memset(page, 'a', BYTES);
        page[BYTES - 1] = '\0';
        copy = strdup(page);
        double x = compute(20000) + copy[i % BYTES];
        pthread_mutex_lock(&lock);
        total += x;
        pthread_mutex_unlock(&lock);
        free(copy);
        free(page);
    }
    return share;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&thread[i], NULL, work, NULL);
        work(NULL);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    puts(total > 0 ? "done" : "nothing done");
    return 0;
}
