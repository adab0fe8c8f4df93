/* planted_misses OUTPUT: counts its own events, for a processor that there is not (fake_papi.h).
 * `gather` misses the cache on rank 2, which takes three times as long for as many instructions
 * there; `dense` is the same on all. What rank, loop and CPU clock had goes to OUTPUT/<rank>:
 * seconds and events of `gather`, then of `dense`. */
#include "fake_papi.h"

#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 200, ROUNDS = 4000, INSTRUCTIONS = 5000, PIECE = 300 };

long long planted_events[FAKE_EVENTS];

struct account {
    double seconds;
    long long events[FAKE_EVENTS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static double piece(double x, int times)
{
    for (int i = 0; i < times * PIECE; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

__attribute__((noinline)) static double gather(double x, int slower, int misses)
{
    for (int i = 0; i < ROUNDS; i++) { /* GATHER */
        x = piece(x, slower);
        planted_events[FAKE_INSTRUCTIONS] += INSTRUCTIONS;
        planted_events[FAKE_CYCLES] += slower * INSTRUCTIONS;
        planted_events[FAKE_L2_MISSES] += misses;
    }
    return x;
}

__attribute__((noinline)) static double dense(double x)
{
    for (int i = 0; i < ROUNDS; i++) { /* DENSE */
        x = piece(x, 1);
        planted_events[FAKE_INSTRUCTIONS] += INSTRUCTIONS;
        planted_events[FAKE_CYCLES] += INSTRUCTIONS / 2;
        planted_events[FAKE_FLOPS] += 2 * PIECE;
        planted_events[FAKE_L2_MISSES] += 5;
    }
    return x;
}

static void account(struct account *a, double sign)
{
    a->seconds += sign * now();
    for (int i = 0; i < FAKE_EVENTS; i++)
        a->events[i] += (long long)sign * planted_events[i];
}

static void put(FILE *file, const struct account *a)
{
    fprintf(file, "%.6f %lld %lld %lld %lld\n", a->seconds, a->events[FAKE_CYCLES],
            a->events[FAKE_INSTRUCTIONS], a->events[FAKE_L2_MISSES], a->events[FAKE_FLOPS]);
}

int main(int argc, char **argv)
{
    int rank;
    double x = 1;
    char path[4096];
    struct account gathered = {0}, densed = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < STEPS; i++) {
        account(&gathered, -1);
        x = gather(x, rank == 2 ? 3 : 1, rank == 2 ? 200 : 5);
        account(&gathered, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        account(&densed, -1);
        x = dense(x);
        account(&densed, 1);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    snprintf(path, sizeof path, "%s/%d", argv[1], rank);
    FILE *file = fopen(path, "w");
    put(file, &gathered);
    put(file, &densed);
    return fclose(file) || x < 0;
}
