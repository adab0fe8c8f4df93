/*
 * Ranks with three threads each, which work longer the higher their number and their rank's: thread
 * t of rank r 2^t x (r + 1) times as long as the first of the first. Each rank writes to the
 * file <rank> in the folder given the CPU seconds of its threads.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 3, STEPS = 20, UNIT = 2000000 };

static pthread_barrier_t begin, end;
static double spent[THREADS];
static int rank;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static double work(double x, long units)
{
    for (long i = 0; i < units; i++) /* TEAM */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void take_part(int thread)
{
    double from = cpu();
    static volatile double kept[THREADS];
    kept[thread] = work(thread, ((long)UNIT << thread) * (rank + 1));
    spent[thread] += cpu() - from;
}

static void *help(void *number)
{
    for (int i = 0; i < STEPS; i++) {
        pthread_barrier_wait(&begin);
        take_part((int)(long)number);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

static void write_down(const char *folder)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    FILE *file = fopen(name, "w");
    for (int t = 0; file && t < THREADS; t++)
        fprintf(file, "%.9f\n", spent[t]);
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    int level;
    pthread_t helpers[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&begin, NULL, THREADS);
    pthread_barrier_init(&end, NULL, THREADS);
    for (long t = 1; t < THREADS; t++)
        pthread_create(&helpers[t], NULL, help, (void *)t);
    for (int i = 0; i < STEPS; i++) {
        pthread_barrier_wait(&begin);
        take_part(0);
        pthread_barrier_wait(&end);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int t = 1; t < THREADS; t++)
        pthread_join(helpers[t], NULL);
    write_down(argc > 1 ? argv[1] : ".");
    MPI_Finalize();
    return 0;
}
