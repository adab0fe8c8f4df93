/*
 * MG: solves a Poisson equation on a periodic cube by multigrid. Each grid has
 * half the points per axis of the next finer one, down to two.
 *
 * A rank holds a box of each grid, with one layer of its neighbours' points
 * around it. A coarse grid may have fewer points along an axis than there are
 * ranks; then every second, fourth, ... rank is alive there, the one that also
 * holds the finer point on which the coarse point lies.
 */
#ifndef MG_H
#define MG_H

#include "../common/npb.h"

enum { MG_AXES = 3, MG_MAX_LEVELS = 10, MG_BELOW = 0, MG_ABOVE = 1 };

struct mg_class {
    int levels; /* the finest grid has 2^levels points per axis */
    double smoother[3];
    double expected; /* norm of the last residual */
};

/* An array with the first axis running fastest. */
struct mg_box {
    int size[MG_AXES];
    ptrdiff_t stride[MG_AXES];
    size_t total;
};

struct mg_level {
    int points;         /* per axis, of the whole grid */
    int count[MG_AXES]; /* of this rank, where alive */
    bool alive[MG_AXES];
    bool active; /* alive along all axes */
    int neighbour[MG_AXES][2];
    struct mg_box box; /* count + 2 where alive, else the two points around */
    double *u, *r;
};

struct mg {
    struct npb_run *run;
    const struct mg_class *problem;
    int ranks[MG_AXES];
    int at[MG_AXES];
    int finest;
    struct mg_level level[MG_MAX_LEVELS + 1]; /* from 1 */
    double *v;                                /* right-hand side, finest grid only */
    double *near_sum, *far_sum;               /* one line each */
    double *give[2], *take[2];                /* one face each */
    long delay_points;                        /* planted */
    long boundary_points;                     /* planted */
};

bool mg_grid_init(struct mg *mg);
void mg_grid_free(struct mg *mg);

/* Renews the layer around the box from the neighbours. */
void mg_exchange(struct mg *mg, const struct mg_level *level, double *array);

/* Gives ranks that are alive on the finer grid only the coarse points around. */
void mg_spread(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse);

/* +1 at ten points and -1 at ten, chosen by random numbers. */
void mg_make_charges(struct mg *mg);

void mg_residual(struct mg *mg, const struct mg_level *level, const double *v);
void mg_smooth(struct mg *mg, const struct mg_level *level);
void mg_restrict(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse);
void mg_interpolate(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse);
double mg_norm(const struct mg_level *level);

void mg_plant_init(struct mg *mg);
void mg_plant_step(struct mg *mg);

#endif
