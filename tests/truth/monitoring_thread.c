/* A thread of each rank sends its neighbour a sign of life now and then, beside the steps of the
 * first thread, at which all ranks meet; one rank's steps are longer. */
/* TRUTH: category=imbalance ranks=last waits=wait-at-nxn flags=-pthread */
#include "truth.h"
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 200, WORK = 1600000, MORE = 3, SIGNS = 8, APART_NS = 10000000 };

static int rank, size;

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void *watch(void *none)
{
    const struct timespec apart = {0, APART_NS};
    for (int sign = 0; sign < SIGNS; sign++) {
        int out = sign, in;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nanosleep(&apart, NULL);
    }
    return none;
}

int main(int argc, char **argv)
{
    int level;
    double x = 1, sum = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == size - 1;
    if (level < MPI_THREAD_MULTIPLE || pthread_create(&thread, NULL, watch, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, MORE, step, STEPS);
        truth_begin();
        x = advance(x, (int)(times * WORK / size));
        truth_end(0, 1 - 1 / times);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    pthread_join(thread, NULL);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
