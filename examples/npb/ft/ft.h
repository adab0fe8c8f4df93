/*
 * FT: solves a diffusion equation by a three-dimensional Fourier transform.
 *
 * Lines along the axis in hand are always whole and contiguous; the ranks form
 * a grid of parts[0] x parts[1] and share out the other two axes. An array is
 * in one of three layouts (slowest axis first):
 *
 *   x lines:  [z / parts[1]] [y / parts[0]] [x]     as it starts and ends
 *   y lines:  [z / parts[1]] [x / parts[0]] [y]
 *   z lines:  [x / parts[0]] [y / parts[1]] [z]     the spectrum
 *
 * A turn from one layout to the next is an all-to-all among the ranks of one
 * grid row or column. With no more ranks than z planes, parts[0] is 1.
 */
#ifndef FT_H
#define FT_H

#include "../common/npb.h"

enum { FT_MAX_ITERATIONS = 20, FT_FORWARD = 1, FT_BACKWARD = -1 };

struct ft_complex {
    double re, im;
};

struct ft_class {
    int nx, ny, nz;
    const struct ft_complex *sums; /* checksum after each iteration */
};

/* The turn from one layout to the next. The source has lines of `line` elements,
 * numbered (outer, inner); the target has lines along `inner`. */
struct ft_plan {
    int outer, inner, line;
    ptrdiff_t outer_stride, inner_stride;
    int parts;
    MPI_Comm comm; /* of the `parts` ranks */
};

struct ft {
    struct npb_run *run;
    const struct ft_class *problem;
    int parts[2];
    int at[2];
    MPI_Comm comm[2];
    int x_count, y_count[2], z_count; /* this rank's share of split axes */
    size_t points;                    /* of this rank */
    struct ft_plan x_to_y, y_to_z;
    struct ft_complex *root; /* of unity, for the longest line */
    int roots;
    struct ft_complex *spectrum; /* z lines */
    double *decay;               /* of each wave in one step of time */
    struct ft_complex *field;    /* what is transformed */
    struct ft_complex *give, *take;
    long delay_butterflies; /* planted */
    long memory_reads;      /* planted */
    size_t memory_stride;   /* planted */
};

extern const struct ft_class ft_classes[NPB_CLASSES];

bool ft_layout_init(struct ft *ft);
void ft_layout_free(struct ft *ft);

/* Turns ft->field; back undoes it. */
void ft_turn(struct ft *ft, const struct ft_plan *turn);
void ft_turn_back(struct ft *ft, const struct ft_plan *turn);

void ft_roots_init(struct ft *ft);

/* Transforms `count` lines of `length` elements in ft->field, unscaled. */
void ft_lines(struct ft *ft, size_t count, int length, int direction);

void ft_plant_init(struct ft *ft);
void ft_plant_step(struct ft *ft);

#endif
