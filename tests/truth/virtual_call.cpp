// The cause sits behind a virtual call on one rank.
// TRUTH: category=imbalance ranks=1 waits=wait-at-nxn
#include "truth.h"
#include <cstdio>
#include <memory>
#include <mpi.h>
#include <vector>

struct Material {
    virtual ~Material() = default;
    virtual double stress(double x, int points) const = 0;
};

struct Elastic : Material {
    double stress(double x, int points) const override
    {
        for (int i = 0; i < points; i++)
            x = x * 0.9999999 + 1e-8;
        return x;
    }
};

struct Plastic : Material {
    double stress(double x, int points) const override
    {
        for (int i = 0; i < points; i++) // CAUSE
            x = x * 0.9999998 + 2e-8;
        return x;
    }
};

int main(int argc, char **argv)
{
    constexpr int steps = 50, points = 9000000;
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    std::unique_ptr<Material> material;
    bool plastic = defect && rank == 1;
    if (plastic)
        material = std::make_unique<Plastic>();
    else
        material = std::make_unique<Elastic>();
    std::vector<double> x(1, 1.0), sum(1);
    for (int step = 0; step < steps; step++) {
        double times = truth_times(plastic, 3, step, steps);
        truth_begin();
        x[0] = material->stress(x[0], static_cast<int>(points / size * times));
        truth_end(0, 1 - 1 / times);
        MPI_Allreduce(x.data(), sum.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x[0] = sum[0] / size;
    }
    if (rank == 0)
        std::printf("%g\n", x[0]);
    MPI_Finalize();
    return 0;
}
