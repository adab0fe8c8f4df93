/*
 * The matrix is a weighted sum of outer products v v' of n sparse random
 * vectors, plus a diagonal. Every rank draws all vectors, because they come
 * from one sequence of random numbers, and keeps the terms of its own block.
 */
#include "cg.h"

#include <math.h>
#include <stdlib.h>

static const double condition = 0.1;

struct vectors {
    int n;
    int width;  /* entries that fit in each vector */
    int *count; /* entries of each */
    int *place; /* width places per vector */
    double *value;
};

struct source {
    uint64_t seed;
    int places; /* smallest power of two from n up */
};

static int index_of(const int *place, int count, int wanted)
{
    int k = 0;

    while (k < count && place[k] != wanted)
        k++;
    return k;
}

/* Draws value and place in turn. A place past the end or taken already is
 * dropped together with its value. */
static void draw_vector(struct vectors *v, int i, struct source *source)
{
    int *place = v->place + (size_t)i * v->width;
    double *value = v->value + (size_t)i * v->width;
    int wanted = v->width - 1, count = 0;

    while (count < wanted) {
        double drawn = npb_random(&source->seed, NPB_MULTIPLIER);
        int at = (int)(source->places * npb_random(&source->seed, NPB_MULTIPLIER));

        if (at >= v->n || index_of(place, count, at) < count)
            continue;
        place[count] = at;
        value[count++] = drawn;
    }
    int own = index_of(place, count, i); /* vector i always has an entry at i */
    place[own] = i;
    value[own] = 0.5;
    v->count[i] = own < count ? count : count + 1;
}

static struct vectors draw_vectors(const struct cg_class *problem)
{
    struct vectors v = {.n = problem->n, .width = problem->nonzeros + 1};
    struct source source = {.seed = 314159265, .places = 1};
    size_t entries = (size_t)v.n * v.width;

    v.count = npb_alloc(v.n, sizeof *v.count);
    v.place = npb_alloc(entries, sizeof *v.place);
    v.value = npb_alloc(entries, sizeof *v.value);
    while (source.places < v.n)
        source.places *= 2;
    npb_random(&source.seed, NPB_MULTIPLIER); /* the specification skips the first */
    for (int i = 0; i < v.n; i++)
        draw_vector(&v, i, &source);
    return v;
}

static bool inside(struct cg_piece piece, int i)
{
    return i >= piece.first && i < piece.first + piece.count;
}

/* A row's terms are appended at end[row]; a null `a->value` only counts them. */
static void add_term(struct cg_matrix *a, int *end, int row, int column, double value)
{
    int at = end[row]++;

    if (a->value) {
        a->column[at] = column;
        a->value[at] = value;
    }
}

static void add_outer_product(struct cg_matrix *a, int *end, const struct vectors *v, int i,
                              const struct cg_grid *grid, double weight)
{
    const int *place = v->place + (size_t)i * v->width;
    const double *value = v->value + (size_t)i * v->width;

    for (int r = 0; r < v->count[i]; r++) {
        if (!inside(grid->block_rows, place[r]))
            continue;
        for (int c = 0; c < v->count[i]; c++)
            if (inside(grid->block_cols, place[c]))
                add_term(a, end, place[r] - grid->block_rows.first,
                         place[c] - grid->block_cols.first, weight * value[r] * value[c]);
    }
}

static void add_terms(struct cg_matrix *a, int *end, const struct vectors *v,
                      const struct cg_class *problem, const struct cg_grid *grid)
{
    double ratio = pow(condition, 1.0 / v->n);
    double weight = 1;

    for (int i = 0; i < v->n; i++) {
        add_outer_product(a, end, v, i, grid, weight);
        weight *= ratio;
    }
    for (int r = 0; r < a->rows; r++) {
        int i = grid->block_rows.first + r;
        if (inside(grid->block_cols, i))
            add_term(a, end, r, i - grid->block_cols.first, condition - problem->shift);
    }
}

/* Adds up terms of the same column. `total` and `slot` have one element per
 * column; slot is 1 + the place of the column in this row, 0 if not seen. */
static int merge_row(struct cg_matrix *a, int from, int end, int to, int *slot)
{
    int first = to;

    for (int k = from; k < end; k++) {
        int column = a->column[k];
        double value = a->value[k];

        if (slot[column] == 0) {
            a->column[to] = column;
            a->value[to] = value;
            slot[column] = ++to;
        } else {
            a->value[slot[column] - 1] += value;
        }
    }
    for (int k = first; k < to; k++)
        slot[a->column[k]] = 0;
    return to;
}

static void merge_rows(struct cg_matrix *a, int columns)
{
    int *slot = npb_alloc(columns, sizeof *slot);
    int from = a->start[0], to = 0;

    for (int row = 0; row < a->rows; row++) {
        int end = a->start[row + 1];
        to = merge_row(a, from, end, to, slot);
        a->start[row + 1] = to;
        from = end;
    }
    free(slot);
}

void cg_matrix_make(struct cg_matrix *a, const struct cg_class *problem, const struct cg_grid *grid)
{
    struct vectors v = draw_vectors(problem);

    *a = (struct cg_matrix){.rows = grid->block_rows.count};
    int *end = npb_alloc(a->rows, sizeof *end);
    a->start = npb_alloc(a->rows + 1, sizeof *a->start);

    add_terms(a, end, &v, problem, grid); /* how many in each row */
    for (int row = 0; row < a->rows; row++) {
        a->start[row + 1] = a->start[row] + end[row];
        end[row] = a->start[row];
    }
    a->column = npb_alloc(a->start[a->rows], sizeof *a->column);
    a->value = npb_alloc(a->start[a->rows], sizeof *a->value);
    add_terms(a, end, &v, problem, grid);
    merge_rows(a, grid->block_cols.count);

    free(end);
    free(v.count);
    free(v.place);
    free(v.value);
}
