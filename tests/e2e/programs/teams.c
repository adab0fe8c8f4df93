/*
 * teams CASE: two threads of each rank, in one of several ways. Work is counted in units, so that
 * it is known how many units the steps take with a core for each thread.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 30, UNIT = 30000, ROWS = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum, rows[ROWS];

static double work(double x, int units)
{
    for (long i = 0; i < (long)units * UNIT; i++) /* WORK */
        x = x * 0.9999 + sqrt(x + 1.5) * 1e-5;
    return x;
}

/* Rows of 0 to 15 units: 28 of the first half, 92 of the second. */
static void uneven(void)
{
#pragma omp parallel for schedule(static) num_threads(2) /* uneven */
    for (int r = 0; r < ROWS; r++)
        rows[r] = work(1, r) * 1e-3;
    sum += rows[0];
}

static void even(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int r = 0; r < ROWS; r++)
        rows[r] = work(1, 4) * 1e-3;
}

/* 40 units by one thread, then 20 by each. */
static void serial(void)
{
    double x = work(1, 40); /* serial */
#pragma omp parallel num_threads(2)
    {
        double y = work(x, 20) * 1e-3;
#pragma omp atomic
        sum += y;
    }
}

/* Each thread: 4 x (2 units, 8 with the lock): 64 + 2 one after the other, 40 without it. */
static void critical(void)
{
#pragma omp parallel num_threads(2)
    for (int k = 0; k < 4; k++) {
        double y = work(1, 2);
#pragma omp critical /* critical */
        sum += work(y, 8) * 1e-3;
    }
}

static void insert(double y)
{
    pthread_mutex_lock(&mutex); /* mutex */
    sum += work(y, 8) * 1e-3;
    pthread_mutex_unlock(&mutex);
}

static void *insert_all(void *argument)
{
    for (int k = 0; k < 4; k++)
        insert(work(1, 2));
    return argument;
}

static void table(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, insert_all, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    insert_all(NULL);
    pthread_join(thread, NULL);
}

/* Locks that are held shortly. */
static void short_lock(void)
{
#pragma omp parallel num_threads(2)
    for (int k = 0; k < 16; k++) {
        double y = work(1, 2);
        pthread_mutex_lock(&mutex);
        sum += y * 1e-3;
        pthread_mutex_unlock(&mutex);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"uneven", uneven},     {"even", even},   {"serial", serial},
             {"critical", critical}, {"mutex", table}, {"short", short_lock}};

int main(int argc, char **argv)
{
    int rank, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int step = 0; argc > 1 && !strcmp(argv[1], cases[c].name) && step < STEPS; step++) {
            cases[c].run();
            for (int r = 0; r < ROWS; r++)
                sum += rows[r];
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
    if (rank == 0)
        printf("%.6f\n", all);
    MPI_Finalize();
    return 0;
}
