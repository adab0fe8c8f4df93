/*
 * The last rank ends its process, or all of them; the others wait for it.
 *
 * endings WAY
 */
#include <mpi.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static void end_by_throw()
{
    std::vector<int> few(3);
    few.at(7) = 1; /* line: throw */
}

static void end(const char *way)
{
    if (!strcmp(way, "exit"))
        exit(1); /* line: exit */
    if (!strcmp(way, "_exit"))
        _exit(1); /* line: _exit */
    if (!strcmp(way, "abort"))
        abort(); /* line: abort */
    if (!strcmp(way, "throw"))
        end_by_throw();
    if (!strcmp(way, "error"))
        MPI_Bcast(nullptr, 1, MPI_INT, 99, MPI_COMM_WORLD); /* line: error */
    if (!strcmp(way, "mpi"))
        MPI_Abort(MPI_COMM_WORLD, 3); /* line: mpi */
    assert(strcmp(way, "assert"));    /* line: assert */
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1 && argc > 1)
        end(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
