/* Communities of a graph get new numbers, which rank 0 gives out one by one: the more ranks ask,
 * the longer each waits for its turn. PerFlow finds such a place, in Vite where threads share the
 * allocator's lock, by matching a pattern of contention (Jin et al., PPoPP'22, section 5.5); here
 * it is a receive that all share. */
#include <mpi.h>
#include <stdio.h>

enum { ASKED = 60, EDGES = 12000000, TABLE = 60000, ASK = 1, GIVE = 2 };

static double move_vertices(double x, int edges)
{
    for (int i = 0; i < edges; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double insert_number(double x)
{
    for (int i = 0; i < TABLE; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

static void give_numbers(int requests)
{
    double table = 1;
    for (int given = 0; given < requests; given++) {
        int community;
        MPI_Status status;
        MPI_Recv(&community, 1, MPI_INT, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);
        table = insert_number(table);
        MPI_Send(&given, 1, MPI_INT, status.MPI_SOURCE, GIVE, MPI_COMM_WORLD);
    }
    printf("%d numbers, %g\n", requests, table);
}

static double ask_for_numbers(double x, int workers)
{
    for (int asked = 0; asked < ASKED; asked++) {
        int number;
        x = move_vertices(x, EDGES / ASKED / workers);
        MPI_Send(&asked, 1, MPI_INT, 0, ASK, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 0, GIVE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        give_numbers(ASKED * (size - 1));
    else
        x = ask_for_numbers(x, size - 1);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
