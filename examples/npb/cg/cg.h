/*
 * CG: the largest eigenvalue of a random sparse matrix by the inverse power
 * method; each of its steps solves A z = x with 25 conjugate-gradient steps.
 *
 * The ranks form a grid of `rows` x `cols`. A rank holds one block of A. The
 * product w = A p comes out along the block's rows; the vectors x, z, p, q and
 * r lie along its columns, each piece held by every rank of a grid column.
 */
#ifndef CG_H
#define CG_H

#include "../common/npb.h"

enum { CG_MAX_STEPS = 16, CG_SOLVER_STEPS = 25 };

struct cg_class {
    int n;           /* order of the matrix */
    int nonzeros;    /* of each random vector that the matrix is made of */
    double shift;    /* of the diagonal */
    double expected; /* eigenvalue estimate */
};

struct cg_piece {
    int first;
    int count;
};

struct cg_grid {
    int rows, cols; /* cols is rows or twice rows */
    int row, col;   /* where this rank is */
    struct cg_piece block_rows, block_cols;
    int steps;                  /* exchanges it takes to sum over a grid row */
    int partner[CG_MAX_STEPS];  /* of each */
    struct cg_piece give, keep; /* halves of w: the partner's, and this rank's own */
    int transposed;             /* the rank that needs what this one has summed */
};

struct cg_matrix {
    int rows;
    int *start;  /* of each row in column[] and value[], and the end of the last */
    int *column; /* counted from the block's first */
    double *value;
};

/* Sizes of the planted work; all zero when nothing is planted on this rank. */
struct cg_plant {
    long delay_terms; /* terms of A p that are computed for nothing */
    long terms;       /* the same for the other kinds, or memory accesses, or lookups */
    long stride;      /* how far apart the memory accesses are */
    double *table;    /* what they read */
    int *piece_first; /* a list to search: the first row of each piece */
};

struct cg {
    struct npb_run *run;
    const struct cg_class *problem;
    struct cg_grid grid;
    struct cg_matrix a;
    double *x, *z, *p, *q, *r; /* along the block's columns */
    double *w, *received;      /* along its rows */
    struct cg_plant plant;
};

bool cg_grid_init(struct cg_grid *grid, const struct npb_run *run, int n);
void cg_matrix_make(struct cg_matrix *a, const struct cg_class *problem,
                    const struct cg_grid *grid);

/* Sums over all ranks `count` values whose parts lie along a grid row. */
void cg_sum(const struct cg_grid *grid, double *values, int count);

/* Solves A z = x; returns the norm of what is left over. */
double cg_conj_grad(struct cg *cg);

void cg_plant_init(struct cg *cg);
void cg_plant_step(struct cg *cg); /* once in each solver step; nothing unless planted */
void cg_plant_free(struct cg *cg);

#endif
