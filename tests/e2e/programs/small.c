/* A little of everything the runtime must survive. `small [abort|quick|spin]` */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double spin(double seconds)
{
    double x = 1;
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;)
        for (int i = 0; i < 100000; i++)
            x = x * 0.9999999 + 1e-8;
    return x;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "spin";
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(what, "quick"))
        printf("%d %g\n", sum, spin(0.2));
    fflush(stdout);
    if (!strcmp(what, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 3 * !strcmp(what, "three");
}
