/* The planted defects of MG. Their results go to the sink, not to a grid. */
#include "mg.h"

enum { VISITS = 8 /* of a point in a V-cycle, about */ };

void mg_plant_init(struct mg *mg)
{
    const struct npb_run *run = mg->run;
    const int *count = mg->level[mg->finest].count;
    double all_points = (double)VISITS * count[0] * count[1] * count[2] * run->size;
    long points = npb_plant_share(run, all_points);

    if (npb_plant_here(run, NPB_PLANT_DELAY, run->rank == run->size / 2))
        mg->delay_points = points;
    if (npb_plant_here(run, NPB_PLANT_BOUNDARY, mg->at[2] == 0))
        mg->boundary_points = points;
}

/* One rank visits points that it has been at already. */
static double visit_again(const struct mg *mg)
{
    const struct mg_level *level = &mg->level[mg->finest];
    ptrdiff_t row = level->box.stride[1], plane = level->box.stride[2];
    ptrdiff_t first = plane + row, end = (ptrdiff_t)level->box.total - first;
    const double *u = level->u;
    double sum = 0;

    for (long point = 0, i = first; point < mg->delay_points; point++) { /* PLANT delay */
        sum += u[i - row] + u[i + row] + u[i - plane] + u[i + plane] - 4 * u[i];
        i = i + 1 < end ? i + 1 : first;
    }
    return sum;
}

/* The ranks at the cube's bottom go over their face as if it were not periodic:
 * once for each rank there is, so that more ranks make it no shorter. */
static double treat_boundary(const struct mg *mg)
{
    const struct mg_level *level = &mg->level[mg->finest];
    ptrdiff_t plane = level->box.stride[2];
    const double *u = level->u;
    double flux = 0;

    for (long point = 0, i = 0; point < mg->boundary_points; point++) { /* PLANT boundary */
        flux += (u[i + plane] - u[i]) * (u[i + plane] + u[i]);
        i = i + 1 < plane ? i + 1 : 0;
    }
    return flux;
}

void mg_plant_step(struct mg *mg)
{
    if (mg->delay_points > 0)
        mg->run->plant.sink = visit_again(mg);
    if (mg->boundary_points > 0)
        mg->run->plant.sink = treat_boundary(mg);
}
