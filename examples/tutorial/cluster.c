/*
 * The tutorial's program: particles that repel each other, a cluster among them.
 *
 * A line of cells holds them; forces act within a cell and on the next one. Each rank owns a slab
 * of neighbouring cells, gets the cell behind its last one from its neighbour in every step, and
 * all ranks add up the energy.
 *
 *   cluster [STEPS]      900 unless given
 *
 * cut() decides who gets which cells. Compiled with -DBALANCED it cuts by work, else by width.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 256, PARTICLES = 20000, MOST = 256 };

struct cell {
    int count;
    double x[MOST], force[MOST];
};

static int rank, ranks;
static int first[CELLS + 1]; /* of each rank; first[ranks] is CELLS */
static int count[CELLS];     /* particles in each cell, the same on all ranks */
static struct cell *cells;   /* mine, and one of the next rank */

/* The same everywhere, but for a cluster around cell 144. */
static void place(void)
{
    double weight[CELLS], sum = 0;
    for (int c = 0; c < CELLS; c++)
        sum += weight[c] = 1 + exp(-0.5 * (c - 144) * (c - 144) / (12. * 12.));
    for (int c = 0; c < CELLS; c++)
        count[c] = (int)(PARTICLES * weight[c] / sum);
}

static double work(int c)
{
#ifdef BALANCED
    int next = c + 1 < CELLS ? count[c + 1] : 0;
    return count[c] * (0.5 * count[c] + next);
#else
    (void)c;
    return 1;
#endif
}

/* The cells in as many stretches of equal work as there are ranks. */
static void cut(void)
{
    double all = 0, done = 0;
    int r = 0;
    for (int c = 0; c < CELLS; c++)
        all += work(c);
    for (int c = 0; c < CELLS; c++) {
        if (done + 0.5 * work(c) >= r * all / ranks && r < ranks)
            first[r++] = c;
        done += work(c);
    }
    first[ranks] = CELLS;
}

static void fill(void)
{
    int mine = first[rank + 1] - first[rank];
    cells = calloc(mine + 1, sizeof *cells);
    for (int k = 0; k <= mine && first[rank] + k < CELLS; k++) {
        cells[k].count = count[first[rank] + k];
        for (int i = 0; i < cells[k].count; i++)
            cells[k].x[i] = first[rank] + k + (i + 0.5) / cells[k].count;
    }
}

/* My first cell to the rank before, its last neighbour's first cell from the rank behind. */
static void exchange(int mine)
{
    int before = rank ? rank - 1 : MPI_PROC_NULL,
        behind = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(cells[0].x, cells[0].count, MPI_DOUBLE, before, 0, cells[mine].x, MOST, MPI_DOUBLE,
                 behind, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double repel(struct cell *a, struct cell *b)
{
    double energy = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = a == b ? i + 1 : 0; j < b->count; j++) {
            double d = a->x[i] - b->x[j], r2 = d * d + 0.01;
            a->force[i] += d / r2;
            b->force[j] -= d / r2;
            energy += 1 / r2;
        }
    return energy;
}

static double forces(int mine)
{
    double energy = 0;
    for (int k = 0; k < mine; k++) {
        energy += repel(&cells[k], &cells[k]);
        if (first[rank] + k + 1 < CELLS)
            energy += repel(&cells[k], &cells[k + 1]);
    }
    return energy;
}

static void move(int mine)
{
    for (int k = 0; k < mine; k++)
        for (int i = 0; i < cells[k].count; i++) {
            cells[k].x[i] += 1e-9 * cells[k].force[i];
            cells[k].force[i] = 0;
        }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 900;
    double energy = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    place();
    cut();
    fill();
    int mine = first[rank + 1] - first[rank];
    double start = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        exchange(mine);
        energy = forces(mine);
        move(mine);
        MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (!rank)
        printf("energy %.6e, %d ranks, %.2f s\n", energy, ranks, MPI_Wtime() - start);
    return MPI_Finalize();
}
