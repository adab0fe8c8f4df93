/* A master that only hands out numbers of tasks; the workers are busy all the time. */
/* TRUTH: none */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 240, COMPUTE = 1500000, ASK = 1 };

static double compute(double x)
{
    for (int i = 0; i < COMPUTE; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static void master(int workers)
{
    double result;
    int next = 0;
    MPI_Status status;
    while (workers > 0) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);
        int task = next < TASKS ? next++ : -1;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        workers -= task < 0;
    }
}

static double worker(void)
{
    double x = 1;
    for (int task = 0; task >= 0;) {
        MPI_Send(&x, 1, MPI_DOUBLE, 0, ASK, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task >= 0)
            x = compute(x);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        master(size - 1);
    else
        x = worker();
    if (rank == 1)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
