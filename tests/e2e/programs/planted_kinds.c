/* planted_kinds STEPS: iterations of two kinds, each with a number of pages that nobody has touched
 * before. Every EVERY-th one makes a further call, and touches MORE. Each page counts as well among
 * its own events, for a processor that there is not (fake_papi.h). Rank 1 touches twice as many. */
#include "fake_papi.h"

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { EVERY = 4, PAGE = 4096, USUAL = 300, MORE = 2000 };

long long planted_events[FAKE_EVENTS];

static void touch(int pages)
{
    size_t bytes = (size_t)pages * PAGE;
    volatile char *fresh =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise((void *)fresh, bytes, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < bytes; at += PAGE)
        fresh[at] = 1;
    munmap((void *)fresh, bytes);
    planted_events[FAKE_L2_MISSES] += pages;
}

int main(int argc, char **argv)
{
    int rank, steps = argc > 1 ? atoi(argv[1]) : 0;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i <= steps; i++) {
        touch(rank == 1 ? 2 * USUAL : USUAL);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i % EVERY == 0) {
            touch(MORE);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return x < 0;
}
