/*
 * known_phases: 64 iterations in two phases of 32. From iteration 33 on rank 2 computes three times
 * as much as the others. Every 16th iteration is followed by output, in which all are off the core.
 */
#include <mpi.h>
#include <scalana/region.h>

#include <unistd.h>

enum { ITERATIONS = 64, OUTPUT_EVERY = 16, OUTPUT_US = 4000, WORK = 700000 };

static volatile double sink;

static void compute(int times)
{
    double x = sink;
    for (int i = 0; i < times * WORK; i++)
        x = x * 0.9999999 + 1e-7;
    sink = x;
}

static void write_output(void)
{
    scalana_region_begin("output");
    usleep(OUTPUT_US);
    scalana_region_end("output");
}

int main(int argc, char **argv)
{
    int rank, size;
    double halo = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    scalana_region_begin("relax");
    for (int i = 1; i <= ITERATIONS; i++) {
        if (i == ITERATIONS / 2 + 1) {
            scalana_region_end("relax");
            scalana_region_begin("solve");
        }
        compute(rank == 2 && i > ITERATIONS / 2 ? 3 : 1);
        MPI_Sendrecv_replace(&halo, 1, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size,
                             0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % OUTPUT_EVERY == 0)
            write_output();
        MPI_Allreduce(&halo, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    scalana_region_end("solve");
    return MPI_Finalize();
}
