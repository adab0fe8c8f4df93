/* Who has which lines, and the all-to-all that turns the array. */
#include "ft.h"

#include <stdlib.h>

static bool split_axes(struct ft *ft)
{
    const struct ft_class *c = ft->problem;
    int size = ft->run->size;

    ft->parts[1] = size < c->nz ? size : c->nz;
    ft->parts[0] = size / ft->parts[1];
    if (ft->parts[1] > c->ny || ft->parts[0] > c->ny || ft->parts[0] > c->nx)
        return false;
    ft->at[0] = ft->run->rank / ft->parts[1];
    ft->at[1] = ft->run->rank % ft->parts[1];
    ft->x_count = c->nx / ft->parts[0];
    ft->y_count[0] = c->ny / ft->parts[0];
    ft->y_count[1] = c->ny / ft->parts[1];
    ft->z_count = c->nz / ft->parts[1];
    ft->points = (size_t)c->nx * ft->y_count[0] * ft->z_count;
    return true;
}

static void plan_turns(struct ft *ft)
{
    const struct ft_class *c = ft->problem;

    ft->x_to_y = (struct ft_plan){
        .outer = ft->z_count,
        .outer_stride = (ptrdiff_t)ft->y_count[0] * c->nx,
        .inner = ft->y_count[0],
        .inner_stride = c->nx,
        .line = c->nx,
        .parts = ft->parts[0],
        .comm = ft->comm[0],
    };
    ft->y_to_z = (struct ft_plan){
        .outer = ft->x_count,
        .outer_stride = c->ny,
        .inner = ft->z_count,
        .inner_stride = (ptrdiff_t)ft->x_count * c->ny,
        .line = c->ny,
        .parts = ft->parts[1],
        .comm = ft->comm[1],
    };
}

bool ft_layout_init(struct ft *ft)
{
    if (!split_axes(ft))
        return false;
    MPI_Comm_split(MPI_COMM_WORLD, ft->at[1], ft->at[0], &ft->comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, ft->at[0], ft->at[1], &ft->comm[1]);
    plan_turns(ft);
    ft->spectrum = npb_alloc(ft->points, sizeof *ft->spectrum);
    ft->decay = npb_alloc(ft->points, sizeof *ft->decay);
    ft->field = npb_alloc(ft->points, sizeof *ft->field);
    ft->give = npb_alloc(ft->points, sizeof *ft->give);
    ft->take = npb_alloc(ft->points, sizeof *ft->take);
    return true;
}

void ft_layout_free(struct ft *ft)
{
    MPI_Comm_free(&ft->comm[0]);
    MPI_Comm_free(&ft->comm[1]);
    free(ft->spectrum);
    free(ft->decay);
    free(ft->field);
    free(ft->give);
    free(ft->take);
    free(ft->root);
}

/* Where element (outer, c, inner) of the block for `part` is in the source ... */
static ptrdiff_t in_source(const struct ft_plan *t, int part, int outer, int c, int inner)
{
    return outer * t->outer_stride + inner * t->inner_stride + part * (t->line / t->parts) + c;
}

/* ... and in the target. Along inner, elements are next to each other there. */
static ptrdiff_t in_target(const struct ft_plan *t, int part, int outer, int c)
{
    ptrdiff_t line = (ptrdiff_t)outer * (t->line / t->parts) + c;

    return line * t->inner * t->parts + part * t->inner;
}

/* Blocks for each rank, one after the other, already in the target's order. */
static void source_to_blocks(const struct ft_plan *t, const struct ft_complex *source,
                             struct ft_complex *block)
{
    for (int part = 0; part < t->parts; part++)
        for (int outer = 0; outer < t->outer; outer++)
            for (int c = 0; c < t->line / t->parts; c++)
                for (int inner = 0; inner < t->inner; inner++)
                    *block++ = source[in_source(t, part, outer, c, inner)];
}

static void blocks_to_source(const struct ft_plan *t, const struct ft_complex *block,
                             struct ft_complex *source)
{
    for (int part = 0; part < t->parts; part++)
        for (int outer = 0; outer < t->outer; outer++)
            for (int c = 0; c < t->line / t->parts; c++)
                for (int inner = 0; inner < t->inner; inner++)
                    source[in_source(t, part, outer, c, inner)] = *block++;
}

static void blocks_to_target(const struct ft_plan *t, const struct ft_complex *block,
                             struct ft_complex *target)
{
    for (int part = 0; part < t->parts; part++)
        for (int outer = 0; outer < t->outer; outer++)
            for (int c = 0; c < t->line / t->parts; c++) {
                struct ft_complex *to = target + in_target(t, part, outer, c);
                for (int inner = 0; inner < t->inner; inner++)
                    to[inner] = *block++;
            }
}

static void target_to_blocks(const struct ft_plan *t, const struct ft_complex *target,
                             struct ft_complex *block)
{
    for (int part = 0; part < t->parts; part++)
        for (int outer = 0; outer < t->outer; outer++)
            for (int c = 0; c < t->line / t->parts; c++) {
                const struct ft_complex *from = target + in_target(t, part, outer, c);
                for (int inner = 0; inner < t->inner; inner++)
                    *block++ = from[inner];
            }
}

/* From ft->give to what is returned: a rank that is alone has its blocks already. */
static const struct ft_complex *exchange_blocks(struct ft *ft, const struct ft_plan *t)
{
    int doubles = (int)(2 * ft->points / t->parts);

    if (t->parts == 1)
        return ft->give;
    MPI_Alltoall(ft->give, doubles, MPI_DOUBLE, ft->take, doubles, MPI_DOUBLE, t->comm);
    return ft->take;
}

void ft_turn(struct ft *ft, const struct ft_plan *turn)
{
    source_to_blocks(turn, ft->field, ft->give);
    blocks_to_target(turn, exchange_blocks(ft, turn), ft->field);
}

void ft_turn_back(struct ft *ft, const struct ft_plan *turn)
{
    target_to_blocks(turn, ft->field, ft->give);
    blocks_to_source(turn, exchange_blocks(ft, turn), ft->field);
}
