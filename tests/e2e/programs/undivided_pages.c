/* undivided_pages OUTPUT: the ranks share out what they compute, and each fills as many pages that
 * nobody has touched as if it were alone. Page faults in `fill` go to OUTPUT/<ranks>.<rank>. */
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { STEPS = 16, PAGE = 4096, PAGES = 5000, WORK = 60000000 };

static long faults;

__attribute__((noinline)) static void fill(volatile char *pages)
{
    for (int i = 0; i < PAGES; i++)
        for (int k = 0; k < PAGE; k += 8) /* FAULTS */
            pages[(size_t)i * PAGE + (size_t)k] = 1;
}

__attribute__((noinline)) static double compute(double x, int times)
{
    for (int i = 0; i < times; i++) /* WORK */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void fill_anew(void)
{
    struct rusage before, after;
    char *pages = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    getrusage(RUSAGE_SELF, &before);
    fill(pages);
    getrusage(RUSAGE_SELF, &after);
    faults += after.ru_minflt - before.ru_minflt;
    munmap(pages, (size_t)PAGES * PAGE);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double x = 1;
    char path[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < STEPS; i++) {
        fill_anew();
        MPI_Barrier(MPI_COMM_WORLD);
        x = compute(x, WORK / ranks);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    snprintf(path, sizeof path, "%s/%d.%d", argv[1], ranks, rank);
    FILE *file = fopen(path, "w");
    fprintf(file, "%ld\n", faults);
    return fclose(file) || x < 0;
}
