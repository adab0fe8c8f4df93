/* polls WAY: steps that end in a wait that the program makes of looks; rank 1 computes three times
 * as long. How long each rank computed, by its own CPU clock, goes to $SCALANA_OUTPUT.work.RANK. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 60, PIECES = 10, PIECE = 60000 };

static const char *way;
static double worked;

static int is(const char *name)
{
    return !strcmp(way, name);
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) void compute(int n)
{
    static volatile double sink;
    double x = 1, begin = cpu_now();
    for (int i = 0; i < n; i++)
        x = x * 0.9999999 + 1e-8;
    sink = x;
    worked += cpu_now() - begin;
}

static int both_done(MPI_Request *request)
{
    int done = 0, first = 0, second = 0;
    if (is("by_status")) {
        MPI_Request_get_status(request[0], &first, MPI_STATUS_IGNORE);
        MPI_Request_get_status(request[1], &second, MPI_STATUS_IGNORE);
        return first && second && MPI_Waitall(2, request, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
    }
    if (!is("in_turn")) {
        MPI_Testall(2, request, &done, MPI_STATUSES_IGNORE);
        return done;
    }
    MPI_Test(&request[0], &first, MPI_STATUS_IGNORE);
    MPI_Test(&request[1], &second, MPI_STATUS_IGNORE);
    return first && second;
}

static void wait_for(MPI_Request *request)
{
    double begin = MPI_Wtime();
    while (!both_done(request)) {
        if (is("with_time_limit") && MPI_Wtime() - begin > 60)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (is("with_naps"))
            usleep(50);
        if (is("with_yields"))
            sched_yield();
    }
}

static void wait_for_message(int left, int *in)
{
    int there = 0;
    while (!there)
        MPI_Iprobe(left, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* With a look or two after each piece, where there is something to look for already. */
static void compute_in_pieces(int pieces, MPI_Request *request)
{
    for (int i = 0; i < pieces; i++) {
        compute(PIECE);
        if (is("between_pieces"))
            for (int k = 0; k < 3; k++)
                both_done(request);
    }
}

int main(int argc, char **argv)
{
    int rank, size, in = 0;
    char path[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    way = argv[1];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int step = 0; step < STEPS; step++) {
        MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (!is("for_messages"))
            MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
        compute_in_pieces(rank == 1 ? 3 * PIECES : PIECES, request);
        MPI_Isend(&step, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request[1]);
        if (is("for_messages"))
            wait_for_message(left, &in);
        wait_for(request);
        if (step % 4 == 3)
            MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    snprintf(path, sizeof path, "%s.work.%d", getenv("SCALANA_OUTPUT"), rank);
    FILE *file = fopen(path, "w");
    fprintf(file, "%.9f\n", worked);
    return fclose(file);
}
