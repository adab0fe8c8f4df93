/* Four threads take one lock at one line, which two functions call. */
#include <mpi.h>
#include <omp.h>

static omp_lock_t table;
static volatile double sum;

static void __attribute__((noinline)) update(int steps)
{
    omp_set_lock(&table); // TAKE
    for (int i = 0; i < steps; i++)
        sum = sum + 1.0 / (i + 1);
    omp_unset_lock(&table);
}

static void __attribute__((noinline)) first(int steps)
{
    update(steps);
    sum = sum + 1;
}

static void __attribute__((noinline)) second(int steps)
{
    update(2 * steps);
    sum = sum + 2;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    omp_init_lock(&table);
    for (int round = 0; round < 40; round++) {
#pragma omp parallel num_threads(4)
        for (int i = 0; i < 8; i++) {
            if ((i + omp_get_thread_num()) % 2)
                first(400000);
            else
                second(400000);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    omp_destroy_lock(&table);
    MPI_Finalize();
    return 0;
}
