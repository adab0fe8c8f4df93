/* The inverse power method: solve, scale, and estimate the eigenvalue anew. */
#include "cg.h"

#include <math.h>
#include <stdlib.h>

static const struct npb_kernel kernel = {
    .name = "cg",
    .iterations = {15, 15, 15, 75},
    .plants = 1u << NPB_PLANT_DELAY | 1u << NPB_PLANT_BOUNDARY | 1u << NPB_PLANT_SEARCH |
              1u << NPB_PLANT_MEMORY | 1u << NPB_PLANT_SERIAL | 1u << NPB_PLANT_UNDIVIDED,
};

static const struct cg_class classes[NPB_CLASSES] = {
    {1400, 7, 10, 8.5971775078648},
    {7000, 8, 12, 10.362595087124},
    {14000, 11, 20, 17.130235054029},
    {75000, 13, 60, 22.712745482631},
};

static const double tolerance = 1e-10;

static void make_vectors(struct cg *cg)
{
    int cols = cg->grid.block_cols.count, rows = cg->grid.block_rows.count;

    cg->x = npb_alloc(cols, sizeof *cg->x);
    cg->z = npb_alloc(cols, sizeof *cg->z);
    cg->p = npb_alloc(cols, sizeof *cg->p);
    cg->q = npb_alloc(cols, sizeof *cg->q);
    cg->r = npb_alloc(cols, sizeof *cg->r);
    cg->w = npb_alloc(rows, sizeof *cg->w);
    cg->received = npb_alloc(rows, sizeof *cg->received);
}

static void release(struct cg *cg)
{
    double *arrays[] = {cg->x, cg->z, cg->p, cg->q, cg->r, cg->w, cg->received, cg->a.value};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(cg->a.start);
    free(cg->a.column);
    cg_plant_free(cg);
}

static void start_guess(struct cg *cg)
{
    for (int j = 0; j < cg->grid.block_cols.count; j++)
        cg->x[j] = 1;
}

/* One step of the power method; returns the new estimate. */
static double power_step(struct cg *cg, double *residual)
{
    int count = cg->grid.block_cols.count;
    double products[2] = {0, 0};

    *residual = cg_conj_grad(cg);
    for (int j = 0; j < count; j++) {
        products[0] += cg->x[j] * cg->z[j];
        products[1] += cg->z[j] * cg->z[j];
    }
    cg_sum(&cg->grid, products, 2);
    double scale = 1 / sqrt(products[1]);
    for (int j = 0; j < count; j++)
        cg->x[j] = scale * cg->z[j];
    return cg->problem->shift + 1 / products[0];
}

static double power_method(struct cg *cg)
{
    double zeta = 0, residual;

    npb_say(cg->run, "iteration        residual           zeta\n");
    for (int step = 1; step <= cg->run->iterations; step++) {
        zeta = power_step(cg, &residual);
        npb_say(cg->run, "%9d %15.8e %.13f\n", step, residual, zeta);
    }
    return zeta;
}

int main(int argc, char **argv)
{
    struct npb_run run;

    if (!npb_start(&run, &kernel, argc, argv))
        return npb_stop(&run);

    struct cg cg = {.run = &run, .problem = &classes[run.class_index]};
    if (!cg_grid_init(&cg.grid, &run, cg.problem->n)) {
        npb_refuse(&run, "%d ranks are too many for a matrix of order %d", run.size, cg.problem->n);
        return npb_stop(&run);
    }
    cg_matrix_make(&cg.a, cg.problem, &cg.grid);
    make_vectors(&cg);
    cg_plant_init(&cg);
    start_guess(&cg);

    double start = npb_clock_start();
    double zeta = power_method(&cg);
    double seconds = npb_clock_stop(start);

    release(&cg);
    return npb_finish(&run, seconds, npb_close(zeta, cg.problem->expected, tolerance));
}
