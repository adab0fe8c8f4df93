/* asks: between two barriers lies computation, in which the program asks what MPI answers at once.
 */
#include <mpi.h>

enum { ROUNDS = 400 };

static volatile double sink;

static void work(void)
{
    for (int i = 0; i < 20000; i++)
        sink = sink * 0.9999999 + 1e-8;
}

int main(int argc, char **argv)
{
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 1; round < ROUNDS; round++) {
        work();
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        work();
        for (int i = 0; i < round % 3; i++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
