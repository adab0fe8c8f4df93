/*
 * Three ranks that wait for each other in known ways: each piece of work is measured by the CPU
 * clock around it, and written to the file <rank> in the folder given, a line for each step. The
 * lines with PIECE are those of the loops; a WAIT stands where ranks wait.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { STEPS = 150, UNIT = 25000, PIECES = 6, PAGES = 64, PAGE = 4096 };

static double x = 1, spent[PIECES];
static long faults;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static void late_to_send(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* PIECE 0 */
        x = x * 0.9999999 + 1e-8;
    spent[0] = cpu() - begin;
}

__attribute__((noinline)) static void late_to_barrier(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* PIECE 1 */
        x = x * 0.9999998 + 2e-8;
    spent[1] = cpu() - begin;
}

__attribute__((noinline)) static void late_to_receive(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* PIECE 2 */
        x = x * 0.9999997 + 3e-8;
    spent[2] = cpu() - begin;
}

__attribute__((noinline)) static void late_to_reduce(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* PIECE 3 */
        x = x * 0.9999996 + 4e-8;
    spent[3] = cpu() - begin;
}

__attribute__((noinline)) static void serialised(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* PIECE 4 */
        x = x * 0.9999995 + 5e-8;
    spent[4] = cpu() - begin;
}

/* Pages that nobody has touched: the kernel must find one for each. */
__attribute__((noinline)) static void touch_fresh_pages(void)
{
    struct rusage before, after;
    double begin = cpu();
    getrusage(RUSAGE_SELF, &before);
    char *pages =
        mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; pages != MAP_FAILED && i < PAGES; i++)
        ((volatile char *)pages)[(size_t)i * PAGE] = 1;
    if (pages != MAP_FAILED)
        munmap(pages, PAGES * PAGE);
    getrusage(RUSAGE_SELF, &after);
    faults += after.ru_minflt - before.ru_minflt;
    spent[5] = cpu() - begin;
}

static void step(int rank, int nranks)
{
    double y = 0;
    late_to_send(rank == 1 ? 60 : 20);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAIT send */
    late_to_barrier(rank == 2 ? 80 : 20);
    if (rank == 2)
        touch_fresh_pages();
    MPI_Barrier(MPI_COMM_WORLD); /* WAIT barrier */
    late_to_receive(rank == 2 ? 60 : 20);
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_DOUBLE, 2, 2, MPI_COMM_WORLD); /* WAIT receive */
    if (rank == 2)
        MPI_Recv(&y, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* WAIT between */
    late_to_reduce(rank == 1 ? 60 : 20);
    MPI_Reduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* WAIT reduce */
    MPI_Barrier(MPI_COMM_WORLD);                                   /* WAIT before */
    if (rank > 0)
        MPI_Recv(&y, 1, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAIT turn */
    serialised(20);
    if (rank + 1 < nranks)
        MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* WAIT all */
}

int main(int argc, char **argv)
{
    int rank, nranks;
    char name[512];
    static double written[STEPS][PIECES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int i = 0; i < STEPS; i++) {
        step(rank, nranks);
        for (int k = 0; k < PIECES; k++)
            written[i][k] = spent[k];
    }
    snprintf(name, sizeof name, "%s/%d", argc > 1 ? argv[1] : ".", rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; file && i < STEPS; i++)
        for (int k = 0; k < PIECES; k++)
            fprintf(file, "%.9f%c", written[i][k], k + 1 < PIECES ? ' ' : '\n');
    if (file) {
        fprintf(file, "%ld\n", faults);
        fclose(file);
    }
    MPI_Finalize();
    return x > 2;
}
