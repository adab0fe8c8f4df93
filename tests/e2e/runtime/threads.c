/*
 * Threads that all call MPI: each on its own tag; all on the same one; all on one that is new with
 * every turn; each with many requests, whose handles come back in use at once; and all with matched
 * probes of whatever comes. No call is lost. Every message has a
 * size of its own, so that it shows if one has the name of another.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 50, MANY = 16, MOST = 1 << 16 };

static int me, size, sent;
static char out[MOST];

typedef void turn(int thread, int i, char *in);

static int fresh(void)
{
    return 4 * __atomic_add_fetch(&sent, 1, __ATOMIC_RELAXED);
}

static void exchange(int tag, char *in)
{
    MPI_Request request;
    MPI_Irecv(in, MOST, MPI_BYTE, (me + size - 1) % size, tag, MPI_COMM_WORLD, &request);
    MPI_Send(out, fresh(), MPI_BYTE, (me + 1) % size, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void own(int thread, int i, char *in)
{
    (void)i;
    exchange(thread, in);
}

static void same(int thread, int i, char *in)
{
    (void)thread;
    (void)i;
    exchange(THREADS, in);
}

static void new(int thread, int i, char *in)
{
    (void)thread;
    exchange(THREADS + 1 + i, in);
}

static void many(int thread, int i, char *in)
{
    static _Thread_local char room[MANY][MOST];
    MPI_Request requests[2 * MANY];
    (void)i;
    (void)in;
    for (int k = 0; k < MANY; k++) {
        MPI_Irecv(room[k], MOST, MPI_BYTE, (me + size - 1) % size, thread, MPI_COMM_WORLD,
                  &requests[k]);
        MPI_Issend(out, fresh(), MPI_BYTE, (me + 1) % size, thread, MPI_COMM_WORLD,
                   &requests[MANY + k]);
    }
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
}

static void probed(int thread, int i, char *in)
{
    MPI_Request request;
    MPI_Message message;
    (void)thread;
    MPI_Isend(out, fresh(), MPI_BYTE, (me + 1) % size, i, MPI_COMM_WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, MOST, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static turn *now;

static void *work(void *argument)
{
    static _Thread_local char in[MOST];
    for (int i = 0; i < TURNS; i++)
        now(*(int *)argument, i, in);
    return NULL;
}

static void all(turn *what)
{
    pthread_t threads[THREADS];
    int number[THREADS];
    now = what;
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        pthread_create(&threads[i], NULL, work, &number[i]);
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
        all(own);
        all(same);
        all(new);
        all(many);
        MPI_Barrier(MPI_COMM_WORLD); /* none of these is there for a probe */
        all(probed);
    }
    MPI_Finalize();
    return provided == MPI_THREAD_MULTIPLE ? 0 : 77;
}
