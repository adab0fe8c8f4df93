/* fresh_pages OUTPUT: rank 2 fills pages that nobody has touched, the others the same ones again
 * and again; rank 1 does three times as much of something that touches none. Page faults in `fill`
 * and the CPU seconds of it go to OUTPUT/<rank>. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { STEPS = 40, PAGE = 4096, PAGES = 2000, WORK = 1500000 };

static long faults;

static char *fresh(void)
{
    return mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0);
}

__attribute__((noinline)) static void fill(volatile char *pages)
{
    for (int i = 0; i < PAGES; i++)
        for (int k = 0; k < PAGE; k += 4) /* FAULTS */
            pages[(size_t)i * PAGE + (size_t)k] = 1;
}

__attribute__((noinline)) static double compute(double x, int times)
{
    for (int i = 0; i < times * WORK; i++) /* WORK */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void step(char *used, int rank)
{
    struct rusage before, after;
    char *pages = rank == 2 ? fresh() : used;
    getrusage(RUSAGE_SELF, &before);
    fill(pages);
    getrusage(RUSAGE_SELF, &after);
    faults += after.ru_minflt - before.ru_minflt;
    if (rank == 2)
        munmap(pages, (size_t)PAGES * PAGE);
}

int main(int argc, char **argv)
{
    int rank;
    double x = 1;
    char *used = fresh(), path[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(used);
    for (int i = 0; i < STEPS; i++) {
        step(used, rank);
        MPI_Barrier(MPI_COMM_WORLD);
        x = compute(x, rank == 1 ? 3 : 1);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    snprintf(path, sizeof path, "%s/%d", argv[1], rank);
    FILE *file = fopen(path, "w");
    fprintf(file, "%ld\n", faults);
    return fclose(file) || x < 0;
}
