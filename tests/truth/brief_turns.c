/* Steps of some ten microseconds; in each a rank that the step draws looks up three times as much.
 */
/* TRUTH: category=imbalance ranks=all waits=wait-at-nxn cost=(P-1)*total gain=P*total fixed=yes */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 8000, TABLE = 4096, WORK = 30000, EXTRA = 7200 };

static double table[TABLE];

static double advance(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

static double search(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x += 1e-9 * table[(i * 7919) & (TABLE - 1)];
    return x;
}

static int drawn(int step, int size)
{
    unsigned h = (unsigned)step * 2654435761U;
    return (int)((h >> 16) % (unsigned)size);
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    for (int i = 0; i < TABLE; i++)
        table[i] = 1 + i % 3;
    for (int step = 0; step < STEPS; step++) {
        x = advance(x, WORK / size);
        int extra =
            truth_extra(defect && drawn(step, size) == rank, EXTRA * 4, WORK / size, step, STEPS);
        if (extra) {
            truth_begin();
            x = search(x, extra);
            truth_end(0, 1);
        }
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
