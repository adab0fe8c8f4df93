/* Each rank starts a thread per step, computes as much beside it and joins it; one's has four times
 * as much. */
/* TRUTH: category=imbalance ranks=middle waits=wait-at-nxn flags=-pthread,-lm */
#include "truth.h"
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 50, CELLS = 7500000, TERMS = 800000 };

struct job {
    double x;
    int count;
    double times;
};

static void *diagnose(void *argument)
{
    struct job *job = (struct job *)argument;
    truth_begin();
    for (int i = 0; i < job->count; i++) /* CAUSE */
        job->x += log(1 + fabs(job->x)) * 1e-9;
    truth_end(0, 1 - 1 / job->times);
    return NULL;
}

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double x = 1, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool more = truth_defect(rank) && rank == size / 2;
    for (int step = 0; step < STEPS; step++) {
        double times = truth_times(more, 4, step, STEPS);
        struct job job = {x, (int)(TERMS / size * times), times};
        pthread_t thread;
        if (pthread_create(&thread, NULL, diagnose, &job))
            MPI_Abort(MPI_COMM_WORLD, 1);
        x = advance(x, CELLS / size);
        pthread_join(thread, NULL);
        x += job.x * 1e-12;
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
