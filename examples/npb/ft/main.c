/* Forward transform once; then let the waves decay, and transform back, in each
 * iteration. */
#include "ft.h"

#include <math.h>
#include <string.h>

static const struct npb_kernel kernel = {
    .name = "ft",
    .iterations = {6, 6, 6, FT_MAX_ITERATIONS},
    .plants = 1u << NPB_PLANT_DELAY | 1u << NPB_PLANT_MEMORY,
};

static const double diffusion = 1e-6, tolerance = 1e-12;
enum { CHECKED_POINTS = 1024 };

/* Random numbers in the order of the points, x fastest. */
static void fill_field(struct ft *ft)
{
    const struct ft_class *c = ft->problem;
    size_t plane = (size_t)c->nx * ft->y_count[0];

    for (int k = 0; k < ft->z_count; k++) {
        uint64_t z = (uint64_t)ft->at[1] * ft->z_count + k;
        uint64_t before = (z * c->ny + (uint64_t)ft->at[0] * ft->y_count[0]) * c->nx;
        uint64_t seed = npb_random_skip(314159265, NPB_MULTIPLIER, 2 * before);
        struct ft_complex *to = ft->field + k * plane;
        for (size_t i = 0; i < plane; i++) {
            to[i].re = npb_random(&seed, NPB_MULTIPLIER);
            to[i].im = npb_random(&seed, NPB_MULTIPLIER);
        }
    }
}

/* Indices past the middle stand for negative wave numbers. */
static double wave_squared(int index, int n)
{
    double wave = index < n / 2 ? index : index - n;

    return wave * wave;
}

static void fill_decay(struct ft *ft)
{
    const struct ft_class *c = ft->problem;
    double pi = acos(-1);
    double *decay = ft->decay;

    for (int i = 0; i < ft->x_count; i++)
        for (int j = 0; j < ft->y_count[1]; j++)
            for (int k = 0; k < c->nz; k++) {
                double square = wave_squared(ft->at[0] * ft->x_count + i, c->nx) +
                                wave_squared(ft->at[1] * ft->y_count[1] + j, c->ny) +
                                wave_squared(k, c->nz);
                *decay++ = exp(-4 * diffusion * pi * pi * square);
            }
}

static void transform_forward(struct ft *ft)
{
    const struct ft_class *c = ft->problem;

    ft_lines(ft, ft->points / c->nx, c->nx, FT_FORWARD);
    ft_turn(ft, &ft->x_to_y);
    ft_lines(ft, ft->points / c->ny, c->ny, FT_FORWARD);
    ft_turn(ft, &ft->y_to_z);
    ft_lines(ft, ft->points / c->nz, c->nz, FT_FORWARD);
}

static void transform_backward(struct ft *ft)
{
    const struct ft_class *c = ft->problem;

    ft_lines(ft, ft->points / c->nz, c->nz, FT_BACKWARD);
    ft_turn_back(ft, &ft->y_to_z);
    ft_lines(ft, ft->points / c->ny, c->ny, FT_BACKWARD);
    ft_turn_back(ft, &ft->x_to_y);
    ft_lines(ft, ft->points / c->nx, c->nx, FT_BACKWARD);
}

static void decay(struct ft *ft)
{
    for (size_t i = 0; i < ft->points; i++) {
        ft->spectrum[i].re *= ft->decay[i];
        ft->spectrum[i].im *= ft->decay[i];
        ft->field[i] = ft->spectrum[i];
    }
}

/* A sample of the field, scaled by what the transforms left out. Rank 0 gets it. */
static struct ft_complex checksum(const struct ft *ft)
{
    const struct ft_class *c = ft->problem;
    double scale = 1.0 / ((double)c->nx * c->ny * c->nz);
    struct ft_complex mine = {0, 0}, all = {0, 0};

    for (int point = 1; point <= CHECKED_POINTS; point++) {
        int x = point % c->nx;
        int y = 3 * point % c->ny - ft->at[0] * ft->y_count[0];
        int z = 5 * point % c->nz - ft->at[1] * ft->z_count;
        if (y < 0 || y >= ft->y_count[0] || z < 0 || z >= ft->z_count)
            continue;
        const struct ft_complex *at = ft->field + ((size_t)z * ft->y_count[0] + y) * c->nx + x;
        mine.re += scale * at->re;
        mine.im += scale * at->im;
    }
    MPI_Reduce(&mine, &all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

static bool agrees(struct ft_complex sum, struct ft_complex expected)
{
    return hypot(sum.re - expected.re, sum.im - expected.im) <=
           tolerance * hypot(expected.re, expected.im);
}

/* True on rank 0 if each iteration's checksum is right. */
static bool solve(struct ft *ft)
{
    bool right = true;

    fill_field(ft);
    fill_decay(ft);
    transform_forward(ft);
    memcpy(ft->spectrum, ft->field, ft->points * sizeof *ft->field);
    for (int iteration = 1; iteration <= ft->run->iterations; iteration++) {
        decay(ft);
        transform_backward(ft);
        ft_plant_step(ft);
        struct ft_complex sum = checksum(ft);
        npb_say(ft->run, "%9d %.12e %.12e\n", iteration, sum.re, sum.im);
        if (ft->run->class_iterations)
            right = right && agrees(sum, ft->problem->sums[iteration - 1]);
    }
    return right;
}

int main(int argc, char **argv)
{
    struct npb_run run;

    if (!npb_start(&run, &kernel, argc, argv))
        return npb_stop(&run);

    struct ft ft = {.run = &run, .problem = &ft_classes[run.class_index]};
    if (!ft_layout_init(&ft)) {
        npb_refuse(&run, "%d ranks are too many for %d x %d x %d points", run.size, ft.problem->nx,
                   ft.problem->ny, ft.problem->nz);
        return npb_stop(&run);
    }
    ft_roots_init(&ft);
    ft_plant_init(&ft);

    double start = npb_clock_start();
    bool right = solve(&ft);
    double seconds = npb_clock_stop(start);

    ft_layout_free(&ft);
    return npb_finish(&run, seconds, right);
}
