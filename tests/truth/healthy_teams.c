/* Two models side by side, each on half of the ranks and in a loop of its own; both take as long.
 */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 40, CELLS = 4000000 };

static double ocean(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double atmosphere(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999997 + 3e-8;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, members;
    double x = 1, sum = 0, other = 0;
    MPI_Comm team;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int half = size / 2, upper = rank >= half, partner = upper ? rank - half : rank + half;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &team);
    MPI_Comm_size(team, &members);
    for (int step = 0; step < STEPS; step++) {
        x = upper ? atmosphere(x, CELLS / members) : ocean(x, CELLS / members);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, team);
        MPI_Sendrecv(&sum, 1, MPI_DOUBLE, partner, 0, &other, 1, MPI_DOUBLE, partner, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = (sum + other) / size;
    }
    MPI_Comm_free(&team);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
