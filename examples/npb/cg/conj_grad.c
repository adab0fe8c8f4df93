/* The solver. Sums over ranks go from partner to partner, as in the NAS code:
 * no collective operation is used here. */
#include "cg.h"

#include <math.h>
#include <string.h>

static void exchange(int partner, const double *give, int give_count, double *take, int take_count)
{
    MPI_Request request;

    MPI_Irecv(take, take_count, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &request);
    MPI_Send(give, give_count, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void cg_sum(const struct cg_grid *grid, double *values, int count)
{
    double received[2];

    for (int step = 0; step < grid->steps; step++) {
        exchange(grid->partner[step], values, count, received, count);
        for (int i = 0; i < count; i++)
            values[i] += received[i];
    }
}

static double dot(const struct cg *cg, const double *a, const double *b)
{
    double sum = 0;

    for (int j = 0; j < cg->grid.block_cols.count; j++)
        sum += a[j] * b[j];
    cg_sum(&cg->grid, &sum, 1);
    return sum;
}

static void multiply(const struct cg_matrix *a, const double *vector, double *product)
{
    for (int row = 0; row < a->rows; row++) {
        double sum = 0;
        for (int k = a->start[row]; k < a->start[row + 1]; k++)
            sum += a->value[k] * vector[a->column[k]];
        product[row] = sum;
    }
}

/* Adds up w over the grid row, so that each rank has the sum of its kept piece. */
static void sum_over_row(struct cg *cg)
{
    const struct cg_grid *grid = &cg->grid;
    struct cg_piece give = grid->give, keep = grid->keep;

    for (int step = 0; step < grid->steps; step++) {
        exchange(grid->partner[step], cg->w + give.first, give.count, cg->received, keep.count);
        for (int i = 0; i < keep.count; i++)
            cg->w[keep.first + i] += cg->received[i];
        give = keep;
    }
}

/* The sum lies along rows, the vectors along columns. */
static void transpose(struct cg *cg, double *vector)
{
    const struct cg_grid *grid = &cg->grid;
    struct cg_piece keep = grid->keep;

    if (grid->steps == 0)
        memcpy(vector, cg->w, keep.count * sizeof *vector);
    else
        exchange(grid->transposed, cg->w + keep.first, keep.count, vector, grid->block_cols.count);
}

static void start_vectors(struct cg *cg)
{
    size_t bytes = cg->grid.block_cols.count * sizeof *cg->x;

    memset(cg->z, 0, bytes);
    memcpy(cg->r, cg->x, bytes);
    memcpy(cg->p, cg->x, bytes);
}

static double residual_norm(struct cg *cg)
{
    double sum = 0;

    multiply(&cg->a, cg->z, cg->w);
    sum_over_row(cg);
    transpose(cg, cg->r);
    for (int j = 0; j < cg->grid.block_cols.count; j++)
        sum += (cg->x[j] - cg->r[j]) * (cg->x[j] - cg->r[j]);
    cg_sum(&cg->grid, &sum, 1);
    return sqrt(sum);
}

/* The planted delay sits next to the product it slows down, as in a user's code. */
double cg_conj_grad(struct cg *cg)
{
    const struct cg_matrix *a = &cg->a;
    int count = cg->grid.block_cols.count;
    double *z = cg->z, *p = cg->p, *q = cg->q, *r = cg->r;
    double wasted = 0;

    start_vectors(cg);
    double rho = dot(cg, r, r);

    for (int step = 0; step < CG_SOLVER_STEPS; step++) {
        multiply(a, p, cg->w);
        for (long term = 0, k = 0; term < cg->plant.delay_terms; term++) { /* PLANT delay */
            wasted += a->value[k] * p[a->column[k]];
            k = k + 1 < a->start[a->rows] ? k + 1 : 0;
        }
        cg_plant_step(cg);
        sum_over_row(cg);
        transpose(cg, q);

        double alpha = rho / dot(cg, p, q);
        for (int j = 0; j < count; j++) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
        }
        double old_rho = rho;
        rho = dot(cg, r, r);
        double beta = rho / old_rho;
        for (int j = 0; j < count; j++)
            p[j] = r[j] + beta * p[j];
    }
    cg->run->plant.sink = wasted;
    return residual_norm(cg);
}
