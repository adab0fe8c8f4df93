/*
 * Computes with integers alone, and says after each step which floating-point flags are raised:
 * none, but what MPI_Init and MPI_Finalize raise themselves.
 */
#include <fenv.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 1000, LONG = 2000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *step)
{
    printf("%s: %s\n", step, fetestexcept(FE_ALL_EXCEPT) ? "raised" : "none");
    feclearexcept(FE_ALL_EXCEPT);
}

static void work(unsigned n)
{
    static volatile unsigned sink;
    for (unsigned i = 0; i < n; i++)
        sink = sink * 5 + i;
}

static void messages(int rank, int size)
{
    int sent = rank, got, sum;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void looks(int rank)
{
    int done = 0;
    MPI_Request request;
    work(rank ? 0 : 10 * LONG);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void *holds(void *unused)
{
    pthread_mutex_lock(&mutex);
    work(20 * LONG);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void waits(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, holds, NULL);
    usleep(5000);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void team(void)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
        work(omp_get_thread_num() ? LONG : LONG / 3);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    feclearexcept(FE_ALL_EXCEPT);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages(rank, size);
    say("messages");
    for (int i = 0; i < 20; i++) {
        work(LONG);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("iterations");
    usleep(30000);
    MPI_Barrier(MPI_COMM_WORLD);
    say("sleep");
    looks(rank);
    say("looks");
    waits();
    MPI_Barrier(MPI_COMM_WORLD);
    say("threads");
    team();
    say("team");
    return MPI_Finalize();
}
