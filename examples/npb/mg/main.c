/* V-cycles: the residual goes down to the coarsest grid, a correction comes up. */
#include "mg.h"

#include <string.h>

static const struct npb_kernel kernel = {
    .name = "mg",
    .iterations = {4, 4, 4, 20},
    .plants = 1u << NPB_PLANT_DELAY | 1u << NPB_PLANT_BOUNDARY,
};

#define SMOOTHER_A {-3.0 / 8, 1.0 / 32, -1.0 / 64}
#define SMOOTHER_B {-3.0 / 17, 1.0 / 33, -1.0 / 61}

static const struct mg_class classes[NPB_CLASSES] = {
    {5, SMOOTHER_A, 0.5307707005734e-4},
    {7, SMOOTHER_A, 0.6467329375339e-5},
    {8, SMOOTHER_A, 0.2433365309069e-5},
    {8, SMOOTHER_B, 0.1800564401355e-5},
};

static const double tolerance = 1e-8;

static void clear(const struct mg_level *level)
{
    memset(level->u, 0, level->box.total * sizeof *level->u);
}

static void v_cycle(struct mg *mg)
{
    struct mg_level *level = mg->level;
    int finest = mg->finest;

    for (int k = finest; k > 1; k--)
        mg_restrict(mg, &level[k], &level[k - 1]);

    clear(&level[1]);
    mg_smooth(mg, &level[1]);
    for (int k = 2; k < finest; k++) {
        clear(&level[k]);
        mg_interpolate(mg, &level[k], &level[k - 1]);
        mg_residual(mg, &level[k], level[k].r);
        mg_smooth(mg, &level[k]);
    }
    mg_interpolate(mg, &level[finest], &level[finest - 1]);
    mg_residual(mg, &level[finest], mg->v);
    mg_plant_step(mg);
    mg_smooth(mg, &level[finest]);
}

static double solve(struct mg *mg)
{
    const struct mg_level *finest = &mg->level[mg->finest];

    mg_residual(mg, finest, mg->v);
    npb_say(mg->run, "residual at first %.13e\n", mg_norm(finest));
    for (int iteration = 0; iteration < mg->run->iterations; iteration++) {
        v_cycle(mg);
        mg_residual(mg, finest, mg->v);
    }
    return mg_norm(finest);
}

int main(int argc, char **argv)
{
    struct npb_run run;

    if (!npb_start(&run, &kernel, argc, argv))
        return npb_stop(&run);

    struct mg mg = {.run = &run, .problem = &classes[run.class_index]};
    if (!mg_grid_init(&mg)) {
        npb_refuse(&run, "%d ranks are too many for %d points per axis", run.size,
                   1 << mg.problem->levels);
        return npb_stop(&run);
    }
    mg_make_charges(&mg);
    mg_plant_init(&mg);

    double start = npb_clock_start();
    double norm = solve(&mg);
    double seconds = npb_clock_stop(start);

    npb_say(&run, "residual at last  %.13e\n", norm);
    mg_grid_free(&mg);
    return npb_finish(&run, seconds, npb_close(norm, mg.problem->expected, tolerance));
}
