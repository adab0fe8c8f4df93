/*
 * Threads that all call MPI, each on its own tag and once all on the same: no call is lost.
 * Prints what must be found, for check_counts.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 500 };

static int me, size;

static void *work(void *argument)
{
    int tag = *(int *)argument, in, out = tag;
    for (int i = 0; i < TURNS; i++) {
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, (me + size - 1) % size, tag, MPI_COMM_WORLD, &request);
        MPI_Send(&out, 1, MPI_INT, (me + 1) % size, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void all(int same)
{
    pthread_t threads[THREADS];
    int tags[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tags[i] = same ? THREADS : i;
        pthread_create(&threads[i], NULL, work, &tags[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided == MPI_THREAD_MULTIPLE) {
        all(0);
        all(1);
    }
    MPI_Finalize();
    return provided == MPI_THREAD_MULTIPLE ? 0 : 77;
}
