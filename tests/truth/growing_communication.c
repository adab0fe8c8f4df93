/* Every rank sends its whole table to all others: what is sent grows with the square of the ranks.
 */
/* TRUTH: category=communication ranks=all waits=none cost=? gain=? */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 40, WORK = 10000000, TABLE = 1 << 15, MOST = 64 };

static double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    static double table[TABLE], all[TABLE * MOST];
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    int count = defect ? TABLE : TABLE / 8 / size;
    for (int step = 0; step < STEPS; step++) {
        x = compute(x, WORK / size);
        table[step] = x;
        MPI_Allgather(table, count, MPI_DOUBLE, all, count, MPI_DOUBLE, /* CAUSE */
                      MPI_COMM_WORLD);
        x += all[step];
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
