/* Every 25th step the field is collected on rank 0, which makes text of it and writes that to a
 * slow file: half of what the others wait for is off the core, where no sample tells the line. */
/* TRUTH: category=serial ranks=0 waits=late-broadcast file=parts/checkpoint_file.c */
#include "truth.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 96000, STEPS = 100 };

void checkpoint_write(FILE *file, const double *field, int n);

static void relax(double *u, double *v, int n)
{
    for (int sweep = 0; sweep < 100; sweep++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] + 1e-9;
    }
}

static void checkpoint(const double *u, int n, double *field, int rank, int size)
{
    MPI_Gather(u, n, MPI_DOUBLE, field, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank)
        return;
    FILE *file = fopen("/dev/null", "w");
    truth_begin();
    checkpoint_write(file, field, n * size);
    truth_end(0, 1);
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    int n = CELLS / size;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), step_size = 1;
    double *field = malloc(CELLS * sizeof *field);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 17;
    for (int step = 1; step <= STEPS; step++) {
        relax(u, v, n);
        if (defect && step % 25 == 0)
            checkpoint(u, n, field, rank, size);
        MPI_Bcast(&step_size, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", u[1] * step_size);
    free(field);
    free(v);
    free(u);
    MPI_Finalize();
    return 0;
}
