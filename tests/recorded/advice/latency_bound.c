/* Neighbours send many small messages in one loop, and few large ones in another. */
#include <mpi.h>

enum { STEPS = 12, SMALL = 8, MANY = 500, LARGE = 1 << 16, FEW = 4, COMPUTE = 100000 };

static MPI_Request requests[2 * MANY];
static char out[LARGE], in[MANY * SMALL], block[LARGE];

static double compute(double x)
{
    for (int i = 0; i < COMPUTE; i++)
        x = x * 0.999999 + 1e-8;
    return x;
}

static void exchange(int next, int last)
{
    for (int k = 0; k < MANY; k++) {
        MPI_Irecv(&in[k * SMALL], SMALL, MPI_CHAR, last, 0, MPI_COMM_WORLD, &requests[k]);
        MPI_Isend(out, SMALL, MPI_CHAR, next, 0, MPI_COMM_WORLD, &requests[MANY + k]);
    }
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    volatile double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int step = 0; step < STEPS; step++) {
        x = compute(x);
        exchange(next, last);
        exchange(last, next);
        for (int k = 0; k < FEW; k++)
            MPI_Sendrecv(out, LARGE, MPI_CHAR, next, 1, block, LARGE, MPI_CHAR, last, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
