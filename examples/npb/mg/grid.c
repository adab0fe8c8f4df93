/* Which points of each grid are here, and who has those next to them. */
#include "mg.h"

#include <stdlib.h>

static int rank_at(const struct mg *mg, const int at[MG_AXES])
{
    return at[0] + mg->ranks[0] * (at[1] + mg->ranks[1] * at[2]);
}

/* The rank `steps` further along the axis; the cube is periodic. */
static int rank_beside(const struct mg *mg, int axis, int steps)
{
    int at[MG_AXES] = {mg->at[0], mg->at[1], mg->at[2]};

    at[axis] = (at[axis] + steps + mg->ranks[axis]) % mg->ranks[axis];
    return rank_at(mg, at);
}

static void place_rank(struct mg *mg)
{
    int log = npb_log2(mg->run->size);
    int rank = mg->run->rank;

    mg->ranks[0] = 1 << log / 3;
    mg->ranks[1] = 1 << (log - log / 3) / 2;
    mg->ranks[2] = mg->run->size / mg->ranks[0] / mg->ranks[1];
    for (int axis = 0; axis < MG_AXES; axis++) {
        mg->at[axis] = rank % mg->ranks[axis];
        rank /= mg->ranks[axis];
    }
}

static void split_axis(const struct mg *mg, struct mg_level *level, int axis)
{
    int ranks = mg->ranks[axis];
    int apart = ranks > level->points ? ranks / level->points : 1;

    level->alive[axis] = (mg->at[axis] + 1) % apart == 0;
    level->count[axis] = ranks > level->points ? 1 : level->points / ranks;
    level->neighbour[axis][MG_BELOW] = rank_beside(mg, axis, -apart);
    level->neighbour[axis][MG_ABOVE] = rank_beside(mg, axis, apart);
    level->box.size[axis] = level->alive[axis] ? level->count[axis] + 2 : 2;
}

static void make_level(const struct mg *mg, struct mg_level *level)
{
    struct mg_box *box = &level->box;

    level->active = true;
    box->total = 1;
    for (int axis = 0; axis < MG_AXES; axis++) {
        split_axis(mg, level, axis);
        level->active = level->active && level->alive[axis];
        box->stride[axis] = (ptrdiff_t)box->total;
        box->total *= box->size[axis];
    }
    level->u = npb_alloc(box->total, sizeof *level->u);
    level->r = npb_alloc(box->total, sizeof *level->r);
}

static size_t largest_face(const struct mg_box *box)
{
    size_t largest = 0;

    for (int axis = 0; axis < MG_AXES; axis++) {
        size_t face = box->total / box->size[axis];
        largest = face > largest ? face : largest;
    }
    return largest;
}

bool mg_grid_init(struct mg *mg)
{
    place_rank(mg);
    mg->finest = mg->problem->levels;
    if (mg->ranks[2] > 1 << mg->finest)
        return false;
    for (int k = 1; k <= mg->finest; k++) {
        mg->level[k].points = 1 << k;
        make_level(mg, &mg->level[k]);
    }

    const struct mg_box *box = &mg->level[mg->finest].box;
    size_t face = largest_face(box);
    mg->v = npb_alloc(box->total, sizeof *mg->v);
    mg->near_sum = npb_alloc(box->size[0], sizeof *mg->near_sum);
    mg->far_sum = npb_alloc(box->size[0], sizeof *mg->far_sum);
    for (int side = 0; side < 2; side++) {
        mg->give[side] = npb_alloc(face, sizeof *mg->give[side]);
        mg->take[side] = npb_alloc(face, sizeof *mg->take[side]);
    }
    return true;
}

void mg_grid_free(struct mg *mg)
{
    for (int k = 1; k <= mg->finest; k++) {
        free(mg->level[k].u);
        free(mg->level[k].r);
    }
    free(mg->v);
    free(mg->near_sum);
    free(mg->far_sum);
    for (int side = 0; side < 2; side++) {
        free(mg->give[side]);
        free(mg->take[side]);
    }
}
