/* Workers ask a master for tasks; preparing a task takes the master so long that all wait for
 * it. */
/* TRUTH: category=serial ranks=0 waits=late-sender cost=? gain=? */
#include "truth.h"
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 1200, PREPARE = 250000, COMPUTE = 400000, ASK = 1, TASK = 2, END = 3 };

static double prepare(double x)
{
    for (int i = 0; i < PREPARE; i++) /* CAUSE */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double compute(double x)
{
    for (int i = 0; i < COMPUTE; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static void master(int workers, bool defect)
{
    double result, task = 1;
    MPI_Status status;
    for (int sent = 0; workers > 0; sent++) {
        int tag = sent < TASKS ? TASK : END;
        if (tag == TASK && defect) {
            truth_begin();
            task = prepare(task);
            truth_end(0, 1);
        }
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);
        MPI_Send(&task, 1, MPI_DOUBLE, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        workers -= tag == END;
    }
    printf("%g\n", task);
}

static void worker(void)
{
    double x = 0;
    MPI_Status status;
    for (;;) {
        MPI_Send(&x, 1, MPI_DOUBLE, 0, ASK, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END)
            return;
        x = compute(x);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool defect = truth_defect(rank);
    if (rank == 0)
        master(size - 1, defect);
    else
        worker();
    MPI_Finalize();
    return 0;
}
