/* Forces between pairs of particles. Ranks 0 to 2 hold the denser part and have more pairs; what
 * they send back comes late, and blocking sends pass the delay on round the ring: the case of
 * LAMMPS in "PerFlow" (Jin et al., PPoPP'22, section 5.4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 50, ATOMS = 3600, PAIRS = 100, DENSE_PAIRS = 500, FORCES = 2000, DENSE_RANKS = 3 };

static double compute_forces(double x, int atoms, int pairs)
{
    for (int atom = 0; atom < atoms; atom++)
        for (int pair = 0; pair < pairs; pair++)
            x = x * 0.9999999 + 1e-8;
    return x;
}

static void reverse_communicate(double *forces, double *others, int to, int from)
{
    MPI_Request request;
    MPI_Irecv(others, FORCES, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request);
    MPI_Send(forces, FORCES, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    forces[0] = 0.5 * (forces[0] + others[0]);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *forces = calloc(FORCES, sizeof *forces), *others = calloc(FORCES, sizeof *others);
    if (!forces || !others)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int pairs = rank < DENSE_RANKS ? DENSE_PAIRS : PAIRS;
    for (int step = 0; step < STEPS; step++) {
        forces[0] = compute_forces(forces[0], ATOMS / size * 4, pairs);
        reverse_communicate(forces, others, (rank + 1) % size, (rank + size - 1) % size);
        reverse_communicate(forces, others, (rank + size - 1) % size, (rank + 1) % size);
    }
    if (rank == 0)
        printf("force %g\n", forces[0]);
    free(forces);
    free(others);
    MPI_Finalize();
    return 0;
}
