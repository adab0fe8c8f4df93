/* Each step meets first and computes then, always the same, so that it ends amid computation. */
#include <mpi.h>

enum { CELLS = 4096, STEPS = 24, ROUNDS = 400 };
static double grid[CELLS];

static void relax(void)
{
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 1; i < CELLS - 1; i++)
            grid[i] = 0.5 * grid[i] + 0.25 * (grid[i - 1] + grid[i + 1]);
}

int main(int argc, char **argv)
{
    double mine = 1, sum;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++) {
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        relax();
    }
    MPI_Finalize();
    return sum < 0;
}
