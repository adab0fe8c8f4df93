// One function template, two instances: the one that the odd ranks use is the slow one.
// TRUTH: category=imbalance ranks=odd waits=wait-at-nxn
#include "truth.h"
#include <cstdio>
#include <mpi.h>

struct Upwind {
    static constexpr int stages = 1;
};

struct Limited {
    static constexpr int stages = 3;
};

template <class Scheme> static double advect(double x, int cells)
{
    for (int i = 0; i < Scheme::stages * cells; i++) // CAUSE
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double diffuse(double x, int cells)
{
    for (int i = 0; i < cells; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    constexpr int steps = 60, cells = 4800000;
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool limited = truth_defect(rank) && rank % 2 == 1;
    double x = 1, sum = 0;
    for (int step = 0; step < steps; step++) {
        x = diffuse(x, cells / size);
        truth_begin();
        x = limited ? advect<Limited>(x, cells / size) : advect<Upwind>(x, cells / size);
        truth_end(0, limited ? 2.0 / 3 : 0);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        std::printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
