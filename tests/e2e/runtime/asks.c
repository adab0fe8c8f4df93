/* asks: between two barriers lies computation, in which the program asks what MPI answers at once.
 * How long each rank computed, by its own CPU clock, goes to $SCALANA_OUTPUT.work.RANK. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 400 };

static volatile double sink;
static double worked;

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work(void)
{
    double begin = cpu_now();
    for (int i = 0; i < 20000; i++)
        sink = sink * 0.9999999 + 1e-8;
    worked += cpu_now() - begin;
}

static int tell(int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.work.%d", getenv("SCALANA_OUTPUT"), rank);
    FILE *file = fopen(path, "w");
    fprintf(file, "%.9f\n", worked);
    return fclose(file);
}

int main(int argc, char **argv)
{
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 1; round < ROUNDS; round++) {
        work();
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        work();
        for (int i = 0; i < round % 3; i++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return tell(rank);
}
