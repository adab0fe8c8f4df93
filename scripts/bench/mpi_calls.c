/*
 * What an MPI call costs, as CPU time of the caller.
 *
 *     mpi_calls CALL COUNT DEPTH   prints the CPU nanoseconds of one call, the least of ten batches
 *     mpi_calls life COUNT 0       COUNT rounds of messages and collectives on all ranks; prints
 * for each rank when it entered and left MPI_Finalize (seconds of the monotonic clock), its CPU
 * time and its largest resident size
 *
 * CALL: iprobe, self (Irecv, Send and Wait to oneself: three calls), barrier (on MPI_COMM_SELF).
 * DEPTH: functions between main and the call.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { BATCHES = 10 };

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void iprobe(long count)
{
    int flag;
    for (long i = 0; i < count; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static void self(long count)
{
    char out = 1, in;
    MPI_Request request;
    for (long i = 0; i < count; i++) {
        MPI_Irecv(&in, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF, &request);
        MPI_Send(&out, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void barrier(long count)
{
    for (long i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

static const struct {
    const char *name;
    void (*body)(long count);
    int calls;
} kinds[] = {{"iprobe", iprobe, 1}, {"self", self, 3}, {"barrier", barrier, 1}};

/* Not a tail call: each level keeps its frame. */
__attribute__((noinline)) static long deeper(void (*body)(long), long count, int depth)
{
    if (depth <= 0) {
        body(count);
        return count;
    }
    return deeper(body, count, depth - 1) + 1;
}

static double least_ns(void (*body)(long), long count, int depth)
{
    double least = 0;
    deeper(body, count, depth); /* pages and caches */
    for (int batch = 0; batch < BATCHES; batch++) {
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        deeper(body, count, depth);
        double ns = 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) / (double)count;
        if (!batch || ns < least)
            least = ns;
    }
    return least;
}

static void ring(int rank, int size, long rounds)
{
    double mine = rank, other, sum;
    for (long i = 0; i < rounds; i++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 2, &other, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&other, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void life(long rounds)
{
    struct rusage used;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring(rank, size, rounds);
    MPI_Barrier(MPI_COMM_WORLD);
    double enter = seconds(CLOCK_MONOTONIC);
    MPI_Finalize();
    double leave = seconds(CLOCK_MONOTONIC);
    getrusage(RUSAGE_SELF, &used);
    printf("%d %.6f %.6f %.6f %ld\n", rank, enter, leave, seconds(CLOCK_PROCESS_CPUTIME_ID),
           used.ru_maxrss);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long count = argc > 2 ? atol(argv[2]) : 0;
    if (argc == 4 && !strcmp(argv[1], "life")) {
        life(count);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; argc == 4 && count > 0 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(argv[1], kinds[i].name)) {
            printf("%.3f\n", least_ns(kinds[i].body, count, atoi(argv[3])) / kinds[i].calls);
            MPI_Finalize();
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "usage: mpi_calls iprobe|self|barrier|life COUNT DEPTH\n");
    MPI_Finalize();
    return 2;
}
