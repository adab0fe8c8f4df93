/* A plugin that is linked with MPI; it begins and ends it, as it is loaded (EARLY) or when asked.
 */
#include <mpi.h>
#include <stdio.h>

static void run(void)
{
    int rank = 0, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (!rank)
        printf("sum %d\n", sum);
    fflush(stdout);
}

#ifdef EARLY
__attribute__((constructor)) static void loaded(void)
{
    run();
}
#endif

void go(void)
{
#ifndef EARLY
    run();
#endif
}
