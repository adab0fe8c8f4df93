/* One-dimensional transforms: Stockham's method, which needs no bit reversal. */
#include "ft.h"

#include <math.h>
#include <string.h>

void ft_roots_init(struct ft *ft)
{
    const struct ft_class *c = ft->problem;
    int longest = c->nx > c->ny ? c->nx : c->ny;

    ft->roots = longest > c->nz ? longest : c->nz;
    ft->root = npb_alloc(ft->roots, sizeof *ft->root);
    for (int k = 0; k < ft->roots; k++) {
        double angle = 2 * acos(-1) * k / ft->roots;
        ft->root[k] = (struct ft_complex){cos(angle), -sin(angle)};
    }
}

/* Butterflies with one root, on `apart` elements next to each other. */
static void butterflies(const struct ft_complex *restrict low,
                        const struct ft_complex *restrict high, struct ft_complex *restrict to,
                        int apart, struct ft_complex root)
{
    for (int q = 0; q < apart; q++) {
        double re = low[q].re - high[q].re, im = low[q].im - high[q].im;
        to[q].re = low[q].re + high[q].re;
        to[q].im = low[q].im + high[q].im;
        to[q + apart].re = re * root.re - im * root.im;
        to[q + apart].im = re * root.im + im * root.re;
    }
}

/* One of log2(length) stages, from one array to the other. */
static void stage(const struct ft *ft, const struct ft_complex *from, struct ft_complex *to,
                  int half, int apart, int direction)
{
    int step = ft->roots / (2 * half); /* the table serves lines of any length */

    for (int p = 0; p < half; p++) {
        struct ft_complex root = ft->root[p * step];
        root.im *= direction;
        butterflies(from + apart * p, from + apart * (p + half), to + apart * 2 * p, apart, root);
    }
}

static void transform_line(const struct ft *ft, struct ft_complex *line, struct ft_complex *work,
                           int length, int direction)
{
    struct ft_complex *from = line, *to = work;

    for (int half = length / 2, apart = 1; half > 0; half /= 2, apart *= 2) {
        stage(ft, from, to, half, apart, direction);
        struct ft_complex *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != line)
        memcpy(line, from, length * sizeof *line);
}

void ft_lines(struct ft *ft, size_t count, int length, int direction)
{
    for (size_t line = 0; line < count; line++)
        transform_line(ft, ft->field + line * length, ft->take, length, direction);
}
