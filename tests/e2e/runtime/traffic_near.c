/* Collectives over neighbours, in each kind of topology, blocking and not; on 4 ranks. */
#include "traffic.h"

enum { ROUNDS = 10 };

static void with_neighbours(MPI_Comm comm)
{
    static int from[16], to[16];
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request;
        MPI_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, comm);
        MPI_Ineighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, comm, &request);
        pause_a_little();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}

/* Rank r of the grid is rank size - 1 - r of the world. */
static void on_grid(void)
{
    MPI_Comm reversed, grid;
    int dims[2] = {2, size / 2}, periods[2] = {0, 1};
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
    MPI_Cart_create(reversed, 2, dims, periods, 0, &grid);
    MPI_Comm_set_name(grid, "a grid");
    with_neighbours(grid);
    MPI_Comm_free(&reversed);
}

/* Everyone sends to the next and the one after it. */
static void on_directed_graph(void)
{
    MPI_Comm comm;
    int in[2] = {(me + size - 1) % size, (me + size - 2) % size};
    int out[2] = {(me + 1) % size, (me + 2) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, in, MPI_UNWEIGHTED, 2, out, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    with_neighbours(comm);
}

/* A chain: the two ends have one neighbour. */
static void on_graph(void)
{
    MPI_Comm comm;
    int index[4] = {1, 3, 5, 6}, edges[6] = {1, 0, 2, 1, 3, 2};
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &comm);
    with_neighbours(comm);
}

/* Without a message; and called something else before its end. */
static void unused(void)
{
    MPI_Comm line;
    int dims[20] = {0}, periods[20] = {0};
    for (int d = 0; d < 20; d++)
        dims[d] = d == 7 ? size : 1;
    MPI_Cart_create(MPI_COMM_WORLD, 20, dims, periods, 0, &line);
    MPI_Comm_set_name(line, "first");
    MPI_Comm_set_name(line, "line of 20");
    MPI_Comm_free(&line);
}

void near(void)
{
    unused();
    ring();
    on_grid();
    on_directed_graph();
    on_graph();
}
