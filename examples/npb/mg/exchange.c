/* Everything that is sent while the equation is solved. */
#include "mg.h"

/* The two axes across a face, the faster one first. */
static void face_axes(int axis, int *fast, int *slow)
{
    *fast = axis == 0 ? 1 : 0;
    *slow = axis == 2 ? 1 : 2;
}

static int pack(const struct mg_box *box, const double *array, int axis, int index, double *face)
{
    int fast, slow, count = 0;

    face_axes(axis, &fast, &slow);
    array += index * box->stride[axis];
    for (int j = 0; j < box->size[slow]; j++)
        for (int i = 0; i < box->size[fast]; i++)
            face[count++] = array[j * box->stride[slow] + i * box->stride[fast]];
    return count;
}

static void unpack(const struct mg_box *box, double *array, int axis, int index, const double *face)
{
    int fast, slow, count = 0;

    face_axes(axis, &fast, &slow);
    array += index * box->stride[axis];
    for (int j = 0; j < box->size[slow]; j++)
        for (int i = 0; i < box->size[fast]; i++)
            array[j * box->stride[slow] + i * box->stride[fast]] = face[count++];
}

static int face_size(const struct mg_box *box, int axis)
{
    return (int)(box->total / box->size[axis]);
}

static int tag_of(int axis, int towards)
{
    return 2 * axis + towards;
}

/* A message says which way it went: with two ranks along an axis, the one below
 * is also the one above. */
static void receive(struct mg *mg, const struct mg_level *level, int axis, int side,
                    MPI_Request *request)
{
    int towards = side == MG_BELOW ? MG_ABOVE : MG_BELOW;

    MPI_Irecv(mg->take[side], face_size(&level->box, axis), MPI_DOUBLE,
              level->neighbour[axis][side], tag_of(axis, towards), MPI_COMM_WORLD, request);
}

static void send(struct mg *mg, const struct mg_level *level, const double *array, int axis,
                 int side, int index)
{
    int count = pack(&level->box, array, axis, index, mg->give[side]);

    MPI_Send(mg->give[side], count, MPI_DOUBLE, level->neighbour[axis][side], tag_of(axis, side),
             MPI_COMM_WORLD);
}

static void exchange_faces(struct mg *mg, const struct mg_level *level, double *array, int axis)
{
    int last = level->count[axis];
    MPI_Request request[2];

    receive(mg, level, axis, MG_BELOW, &request[MG_BELOW]);
    receive(mg, level, axis, MG_ABOVE, &request[MG_ABOVE]);
    send(mg, level, array, axis, MG_ABOVE, last);
    send(mg, level, array, axis, MG_BELOW, 1);
    MPI_Wait(&request[MG_BELOW], MPI_STATUS_IGNORE);
    unpack(&level->box, array, axis, 0, mg->take[MG_BELOW]);
    MPI_Wait(&request[MG_ABOVE], MPI_STATUS_IGNORE);
    unpack(&level->box, array, axis, last + 1, mg->take[MG_ABOVE]);
}

static void wrap_faces(struct mg *mg, const struct mg_level *level, double *array, int axis)
{
    int last = level->count[axis];

    pack(&level->box, array, axis, last, mg->give[MG_ABOVE]);
    unpack(&level->box, array, axis, 0, mg->give[MG_ABOVE]);
    pack(&level->box, array, axis, 1, mg->give[MG_BELOW]);
    unpack(&level->box, array, axis, last + 1, mg->give[MG_BELOW]);
}

/* One axis after the other, so that edges and corners arrive too. */
void mg_exchange(struct mg *mg, const struct mg_level *level, double *array)
{
    if (!level->active)
        return;
    for (int axis = 0; axis < MG_AXES; axis++)
        if (mg->ranks[axis] > 1)
            exchange_faces(mg, level, array, axis);
        else
            wrap_faces(mg, level, array, axis);
}

/* A rank between two coarse points: one from each neighbour on the finer grid. */
static void take_both(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse,
                      int axis)
{
    MPI_Request request[2];
    int count = face_size(&coarse->box, axis);

    for (int side = 0; side < 2; side++)
        MPI_Irecv(mg->take[side], count, MPI_DOUBLE, fine->neighbour[axis][side],
                  tag_of(axis, side == MG_BELOW ? MG_ABOVE : MG_BELOW), MPI_COMM_WORLD,
                  &request[side]);
    for (int side = 0; side < 2; side++) {
        MPI_Wait(&request[side], MPI_STATUS_IGNORE);
        unpack(&coarse->box, coarse->u, axis, side, mg->take[side]);
    }
}

static void give_both(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse,
                      int axis)
{
    int count = pack(&coarse->box, coarse->u, axis, 1, mg->give[0]);

    for (int side = 0; side < 2; side++)
        MPI_Send(mg->give[0], count, MPI_DOUBLE, fine->neighbour[axis][side], tag_of(axis, side),
                 MPI_COMM_WORLD);
}

/* Whether the coarse grid thins out along this axis. */
static bool thins_out(const struct mg *mg, const struct mg_level *coarse, int axis)
{
    return mg->ranks[axis] > coarse->points;
}

void mg_spread(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse)
{
    if (!fine->active)
        return;
    for (int axis = 0; axis < MG_AXES; axis++) {
        bool has_points = true; /* or got them along an earlier axis */
        for (int later = axis + 1; later < MG_AXES; later++)
            has_points = has_points && coarse->alive[later];
        if (!thins_out(mg, coarse, axis) || !has_points)
            continue;
        if (coarse->alive[axis])
            give_both(mg, fine, coarse, axis);
        else
            take_both(mg, fine, coarse, axis);
    }
}
