/* Main loops that are hard to see from outside: in `seldom` each 20th step alone has a collective;
 * in `cycles` a function calls itself, with messages on each level. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 200, OFTEN = 20, CYCLES = 40, LEVELS = 4 };

static int rank, size;

static double exchange(double x)
{
    double y = 0;
    MPI_Request request[2];
    MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    return y;
}

static double work(double x)
{
    for (int i = 0; i < 2000; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

static double seldom(double x)
{
    for (int step = 1; step <= STEPS; step++) {
        x = exchange(work(x));
        if (step % OFTEN == 0)
            MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return x;
}

static double cycle(int level, double x)
{
    x = exchange(work(x));
    if (level < LEVELS)
        x = cycle(level + 1, x);
    return exchange(work(x));
}

static double cycles(double x)
{
    for (int i = 0; i < CYCLES; i++) { /* CYCLES */
        x = cycle(1, x);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return x;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x = argc > 1 && !strcmp(argv[1], "cycles") ? cycles(rank) : seldom(rank);
    if (!rank)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
