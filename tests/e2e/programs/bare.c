/* Two ways lead through a kernel in assembler without unwind tables to one call of MPI; one rank
 * does more on one of them. VIA_POINTER: the kernel is called by a pointer. ALONE: it calls nobody.
 */
#include <mpi.h>

void blocks(long rounds, long n, void (*done)(void));

#ifdef VIA_POINTER
static void (*volatile kernel)(long, long, void (*)(void)) = blocks;
#else
#define kernel blocks
#endif

static int met;

#ifdef ALONE
#define BETWEEN MPI_Barrier(MPI_COMM_WORLD)
#else
#define BETWEEN
#endif

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    met++;
}

__attribute__((noinline)) static void predict(long rounds)
{
    kernel(rounds, 2, meet);
    met++;
}

__attribute__((noinline)) static void correct(long rounds)
{
    kernel(rounds, 2, meet); /* PLANTED */
    met++;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 40; step++) {
        predict(2000000);
        BETWEEN;
        correct(rank == 2 ? 12000000 : 3000000);
        BETWEEN;
    }
    MPI_Finalize();
    return 0;
}
