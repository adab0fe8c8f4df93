/* Threads of each rank compute a partition each of a message to the next rank, and hand it over
 * when it is ready; one rank's last thread takes longer. Before MPI 4 each part is a message. */
/* TRUTH: category=imbalance ranks=middle waits=none cost=? flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { STEPS = 80, PARTS = 3, CELLS = 500, WORK = 1200000, MORE = 4 };

static double out[PARTS * CELLS], in[PARTS * CELLS];
static int next, before;

#if MPI_VERSION >= 4
enum { REQUESTS = 2 };
static MPI_Request requests[REQUESTS];

static void open_channel(void)
{
    MPI_Psend_init(out, PARTS, CELLS, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Precv_init(in, PARTS, CELLS, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[1]);
}

static void begin_step(void)
{
    MPI_Startall(REQUESTS, requests);
}

static void hand_over(int part)
{
    MPI_Pready(part, requests[0]);
}

static void close_channel(void)
{
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}
#else
enum { REQUESTS = 2 * PARTS };
static MPI_Request requests[REQUESTS];

static void open_channel(void)
{
}

static void begin_step(void)
{
    for (int part = 0; part < PARTS; part++)
        MPI_Irecv(in + part * CELLS, CELLS, MPI_DOUBLE, before, part, MPI_COMM_WORLD,
                  &requests[PARTS + part]);
}

static void hand_over(int part)
{
    MPI_Isend(out + part * CELLS, CELLS, MPI_DOUBLE, next, part, MPI_COMM_WORLD, &requests[part]);
}

static void close_channel(void)
{
}
#endif

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void compute_part(int part, double times, int count)
{
    if (times > 1)
        truth_begin();
    out[part * CELLS] = advance(in[part * CELLS], (int)(times * count));
    if (times > 1)
        truth_end(0, 1 - 1 / times);
}

static void compute(double times, int count)
{
#pragma omp parallel for num_threads(PARTS) schedule(static, 1)
    for (int part = 0; part < PARTS; part++) {
        compute_part(part, part == PARTS - 1 ? times : 1, count);
        hand_over(part);
    }
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == size / 2;
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    open_channel();
    for (int step = 0; step < STEPS; step++) {
        begin_step();
        compute(truth_times(more, MORE, step, STEPS), WORK / size);
        MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    }
    close_channel();
    MPI_Reduce(&in[0], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
