/* ways: one call is followed by the next round of its loop or by what comes behind, short work or
 * long. How long each took of each rank, by its own CPU clock, is printed. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 60, ROUNDS = 20 };

static double seconds[2];

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static void short_work(int n)
{
    static volatile double sink;
    double x = 1, begin = cpu_now();
    for (int i = 0; i < n; i++) /* SHORT loop */
        x = x * 0.9999999 + 1e-8;
    sink = x;
    seconds[0] += cpu_now() - begin;
}

__attribute__((noinline)) static void long_work(int n)
{
    static volatile double sink;
    double x = 1, begin = cpu_now();
    for (int i = 0; i < n; i++) /* LONG loop */
        x = x * 0.9999999 + 1e-8;
    sink = x;
    seconds[1] += cpu_now() - begin;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < STEPS; step++) {
        for (int round = 0; round < ROUNDS; round++) {
            short_work(20000);
            MPI_Allreduce(&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
        long_work(2000000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("rank %d: %.9f %.9f\n", rank, seconds[0], seconds[1]);
    return MPI_Finalize();
}
