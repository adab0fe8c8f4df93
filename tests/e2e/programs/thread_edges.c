/* Each rank's first thread computes, creates a thread that computes and exchanges with its
 * counterparts, joins it, and computes once more. Rank 1 takes longer before it creates the thread,
 * or that thread does. In C, and in C++ by std::thread. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <thread>
#else
#include <pthread.h>
#endif

enum { STEPS = 20, UNIT = 20000000, LATE = 1, TIMES = 4, THREAD = 6, AFTER = 3 };

static int rank, size;

static double begin(double x, int count)
{
    for (int i = 0; i < count; i++) /* CREATE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double work(double x, int count)
{
    for (int i = 0; i < count; i++) /* JOIN */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double finish(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double exchange(double out)
{
    double in = 0;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, 1, &in, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
}

static void run(int units)
{
    double x = 1;
    for (int step = 0; step < STEPS; step++)
        x = exchange(work(x, UNIT / STEPS * units));
}

#ifdef __cplusplus
static void run_in_thread(int units)
{
    std::thread thread(run, units);
    thread.join();
}
#else
static void *start(void *units)
{
    run(*(int *)units);
    return NULL;
}

static void run_in_thread(int units)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, start, &units) || pthread_join(thread, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
}
#endif

int main(int argc, char **argv)
{
    int level, serialized = argc > 1 && !strcmp(argv[1], "serialized");
    int asked = serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    double x = 0, sum = 0;
    MPI_Init_thread(&argc, &argv, asked, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int times = rank == LATE ? TIMES : 1, joins = argc > 1 && !strcmp(argv[1], "join");
    int creates = !joins;
    x = begin(x, UNIT * (creates ? times : 1));
    run_in_thread(creates ? THREAD : times);
    x = finish(x, creates ? 0 : AFTER * UNIT);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!rank)
        printf("level %d of %d: %g\n", level, asked, sum);
    MPI_Finalize();
    return 0;
}
