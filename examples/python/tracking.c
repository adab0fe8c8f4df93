/* Particles are tracked through cells, as a Monte Carlo code does. How many a rank has is a matter
 * of chance, and of where the source is: the case of Quicksilver in "Chopper" (Nader et al., 2024).
 * The argument, if any, makes one function slower by so much, as a bad day of the machine would:
 * the case of its variability. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 30, PARTICLES = 1000, COLLISION = 400, TABLE = 300 };

static double cross_section(double x, int lookups)
{
    for (int i = 0; i < lookups; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double collide(double x, int events)
{
    for (int i = 0; i < events; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double track(double x, int particles, int slower)
{
    for (int particle = 0; particle < particles; particle++) {
        x = cross_section(x, TABLE);
        x = collide(x, COLLISION * slower);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int slower = argc > 1 ? atoi(argv[1]) : 1;
    int particles = PARTICLES * (rank == size / 2 ? 4 : 1); /* the source is there */
    for (int step = 0; step < STEPS; step++) {
        x = track(x, particles, slower);
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("tally %g\n", all);
    MPI_Finalize();
    return 0;
}
