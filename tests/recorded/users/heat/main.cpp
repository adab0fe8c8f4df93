// Heat in a reacting fluid: relaxed by all threads, exchanged, then reacting by one thread.
#include "field.hpp"
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    heat::Field field(rank, size, argc > 1 ? atoi(argv[1]) : 2000);
    double last = 0;
    for (int step = 0; step < 40; step++) {
        field.relax();
        field.exchange();
        field.react();
        last = field.norm();
    }
    if (rank == 0)
        std::printf("norm %.6f\n", last);
    MPI_Finalize();
}
