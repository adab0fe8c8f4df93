/* Rank 1 relaxes for longer than the others, unless compiled with -DFIXED.   uneven [STEPS] */
#include <mpi.h>
#include <stdlib.h>

enum { CELLS = 4096 };
static double grid[CELLS];

static void relax(int rounds)
{
    for (int k = 0; k < rounds; k++)
        for (int i = 1; i < CELLS - 1; i++)
            grid[i] = 0.5 * grid[i] + 0.25 * (grid[i - 1] + grid[i + 1]);
}

static void energy(int rounds)
{
    for (int k = 0; k < rounds; k++)
        for (int i = 1; i < CELLS - 1; i++)
            grid[i] += 1e-9 * grid[i] * grid[i];
}

static int rounds_of(int rank)
{
#ifdef FIXED
    (void)rank;
    return 200;
#else
    return rank == 1 ? 700 : 200;
#endif
}

int main(int argc, char **argv)
{
    int rank, steps = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < steps; step++) {
        double mine = 1, sum;
        relax(rounds_of(rank));
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        energy(100);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
