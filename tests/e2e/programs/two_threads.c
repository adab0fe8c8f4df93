/* Two threads of each rank exchange with their counterparts at the same time, by communicators and
 * tags of their own; the second thread of rank 0 is late. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 100, WORK = 300000, THREADS = 2 };

static MPI_Comm comms[THREADS];
static int rank;
static double sums[THREADS];

static double even(double x)
{
    for (int i = 0; i < WORK; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double late(double x)
{
    for (int i = 0; i < 6 * WORK; i++) /* LATE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static void exchange(int thread, double out)
{
    double in;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, rank ^ 1, thread, &in, 1, MPI_DOUBLE, rank ^ 1, thread,
                 comms[thread], MPI_STATUS_IGNORE);
    sums[thread] += in;
}

static void do_step(int thread, int step)
{
    sums[thread] += even(step);
    if (thread && !rank)
        sums[thread] += late(step);
    exchange(thread, sums[thread] * 1e-9);
}

static void *go_on(void *number)
{
    for (int step = 0; step < STEPS; step++)
        do_step(*(int *)number, step);
    return NULL;
}

/* Or they are a team of OpenMP, anew in each step, at whose end all ranks meet. */
static void teams(void)
{
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(THREADS)
        do_step(omp_get_thread_num(), step);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void pair(void)
{
    pthread_t thread;
    int first = 0, second = 1;
    pthread_create(&thread, NULL, go_on, &second);
    go_on(&first);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (level == MPI_THREAD_MULTIPLE && argc > 1 && !strcmp(argv[1], "teams"))
        teams();
    else if (level == MPI_THREAD_MULTIPLE)
        pair();
    if (!rank)
        printf("level %d of %d: %g\n", level, MPI_THREAD_MULTIPLE, sums[0] + sums[1]);
    MPI_Finalize();
    return 0;
}
