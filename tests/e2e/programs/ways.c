/* ways: one call is followed by the next round of its loop or by what comes behind, short work or
 * long. */
#include <mpi.h>

enum { STEPS = 60, ROUNDS = 20 };

__attribute__((noinline)) static void short_work(int n)
{
    static volatile double sink;
    double x = 1;
    for (int i = 0; i < n; i++) /* SHORT loop */
        x = x * 0.9999999 + 1e-8;
    sink = x;
}

__attribute__((noinline)) static void long_work(int n)
{
    static volatile double sink;
    double x = 1;
    for (int i = 0; i < n; i++) /* LONG loop */
        x = x * 0.9999999 + 1e-8;
    sink = x;
}

int main(int argc, char **argv)
{
    int sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++) {
        for (int round = 0; round < ROUNDS; round++) {
            short_work(20000);
            MPI_Allreduce(&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
        long_work(2000000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
