/* A library of the program's own, that calls MPI and a function of the system. */
#include <math.h>
#include <mpi.h>

static double work(long n)
{
    volatile double x = 1;
    for (long i = 0; i < n; i++)
        x = x + sin(x) * 1e-9;
    return x;
}

void carried_part(long n)
{
    work(n);
    MPI_Barrier(MPI_COMM_WORLD);
}
