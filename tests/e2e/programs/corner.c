/*
 * Ranks in a periodic lattice of four dimensions, numbered against the order of MPI_COMM_WORLD, one
 * corner of which computes longer. Each rank writes to the file <rank> in the folder given its
 * coordinates and the CPU seconds of its work.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { DIMENSIONS = 4, STEPS = 60, UNIT = 20000 };

static double x = 1, spent;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static void relax(int units)
{
    double begin = cpu();
    for (int i = 0; i < units * UNIT; i++) /* CORNER */
        x = x * 0.9999999 + 1e-8;
    spent += cpu() - begin;
}

static void exchange(MPI_Comm lattice)
{
    double from = 0;
    int below, above;
    for (int d = 0; d < DIMENSIONS; d++) {
        MPI_Cart_shift(lattice, d, 1, &below, &above);
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, above, d, &from, 1, MPI_DOUBLE, below, d, lattice,
                     MPI_STATUS_IGNORE);
    }
}

/* Beside the lattice: its planes, and a ring that never carries a message. */
static void make_others(MPI_Comm lattice, int rank, int nranks, MPI_Comm *plane, MPI_Comm *ring)
{
    int keep[DIMENSIONS] = {0, 0, 1, 1}, next = (rank + 1) % nranks,
        before = (rank + nranks - 1) % nranks;
    MPI_Cart_sub(lattice, keep, plane);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, ring);
    MPI_Comm_set_name(*ring, "ring");
}

static void write_down(const char *folder, int rank, const int *at)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    FILE *file = fopen(name, "w");
    if (!file)
        return;
    fprintf(file, "%d %d %d %d %.9f\n", at[0], at[1], at[2], at[3], spent);
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank, nranks, place, dims[DIMENSIONS] = {0}, periodic[DIMENSIONS] = {1, 0, 0, 0};
    int at[DIMENSIONS], corner = 1;
    double sum;
    MPI_Comm backwards, lattice, plane, ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Dims_create(nranks, DIMENSIONS, dims);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Cart_create(backwards, DIMENSIONS, dims, periodic, 0, &lattice);
    MPI_Comm_set_name(lattice, "lattice (x,y,z,t)");
    make_others(lattice, rank, nranks, &plane, &ring);
    MPI_Comm_rank(lattice, &place);
    MPI_Cart_coords(lattice, place, DIMENSIONS, at);
    for (int d = 0; d < DIMENSIONS; d++)
        corner = corner && at[d] == (d % 2 ? 0 : dims[d] - 1);
    for (int i = 0; i < STEPS; i++) {
        relax(corner ? 60 : 20);
        exchange(lattice);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, plane);
        MPI_Barrier(lattice);
    }
    write_down(argc > 1 ? argv[1] : ".", rank, at);
    MPI_Finalize();
    return x > 2;
}
