// Every step takes every rank a little longer or shorter, by chance: nobody is to blame.
// TRUTH: none
#include <cstdio>
#include <mpi.h>
#include <random>

static double follow(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    constexpr int steps = 80, photons = 8000000;
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::mt19937 random(rank + 1);
    std::uniform_real_distribution<double> spread(0.95, 1.05);
    double x = 1, sum = 0;
    for (int step = 0; step < steps; step++) {
        x = follow(x, static_cast<int>(photons / size * spread(random)));
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / size;
    }
    if (rank == 0)
        std::printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
