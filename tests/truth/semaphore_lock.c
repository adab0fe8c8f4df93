/* Four threads of each rank add to a table, and each has it to itself while it works out what: a
 * semaphore of one is the lock. */
/* TRUTH: category=contention ranks=all waits=none cost=? gain=? flags=-fopenmp */
#include "truth.h"
#include <mpi.h>
#include <semaphore.h>
#include <stdio.h>

enum { STEPS = 40, PIECES = 4, OWN = 400000, PART = 600000 };

static sem_t lock;
static double table;

static double own(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double work_out(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static void add_under_lock(double x, int count)
{
    sem_wait(&lock); /* CAUSE */
    table += work_out(x, count);
    sem_post(&lock);
}

static void add_beside(double x, int count)
{
    double part = work_out(x, count);
    sem_wait(&lock);
    table += part;
    sem_post(&lock);
}

static void sweep(double x, int size, bool locked)
{
#pragma omp parallel num_threads(4)
    for (int piece = 0; piece < PIECES; piece++) {
        double mine = own(x, OWN / size);
        if (locked)
            add_under_lock(mine, PART / size);
        else
            add_beside(mine, PART / size);
    }
}

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sem_init(&lock, 0, 1);
    bool locked = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        sweep(1 + all * 1e-12, size, locked);
        MPI_Allreduce(&table, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    truth_add(0, 0.001); /* what it costs the run with the defect off says */
    sem_destroy(&lock);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
