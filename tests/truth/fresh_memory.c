/* Between two loops that compute, between the same two MPI calls, buffers are given back to the
 * system and touched afresh: nearly all of that is the kernel's time, page faults and system calls.
 * On rank 1 it takes three times as long. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>

enum { STEPS = 50, PAGE = 4096, PAGES = 2000, BEFORE = 1000000, BEHIND = 500000 };

static char *buffers;

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double settle(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static void renew(int pages)
{
    for (int i = 0; i < pages; i++) { /* CAUSE */
        char *page = buffers + (long)(i % PAGES) * PAGE;
        madvise(page, PAGE, MADV_DONTNEED);
        *page = 1;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    buffers = (char *)mmap(NULL, (long)PAGES * PAGE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(buffers, (long)PAGES * PAGE, MADV_NOHUGEPAGE);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    int pages = PAGES * 2 / size;
    for (int step = 0; step < STEPS; step++) {
        x = advance(x, BEFORE * 2 / size);
        renew(pages);
        double times = truth_times(defect && rank == 1, 3, step, STEPS);
        truth_begin();
        renew((int)(pages * (times - 1)));
        truth_end(0, 1);
        x = settle(x, BEHIND * 2 / size);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
