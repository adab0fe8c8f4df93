/* A rank that takes fresh memory for each piece of its work: most of that is the kernel's time. */
/* TRUTH: category=imbalance ranks=1 waits=wait-at-nxn */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { STEPS = 100, EXTRA = 2000000, PARALLEL = 240000000, PIECE = 64 << 10, WORTH = 30000 };

static double assemble(int pieces)
{
    double sum = 0;
    for (int i = 0; i < pieces; i++) { /* CAUSE */
        char *fresh = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED)
            return sum;
        memset(fresh, 1 + i % 3, PIECE);
        sum += fresh[i % PIECE];
        munmap(fresh, PIECE);
    }
    return sum;
}

static double sweep(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int step = 0; step < STEPS; step++) {
        int extra = truth_extra(defect && rank == 1, EXTRA, PARALLEL / STEPS / size, step, STEPS);
        if (extra) {
            truth_begin();
            x += assemble(extra / WORTH + 1) * 1e-9;
            truth_end(0, 1);
        }
        x = sweep(x, PARALLEL / STEPS / size);
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
