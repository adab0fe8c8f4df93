/* Who holds what, and who talks to whom. */
#include "cg.h"

static struct cg_piece cut(int n, int parts, int part)
{
    int first = (int)((long)n * part / parts);
    int end = (int)((long)n * (part + 1) / parts);

    return (struct cg_piece){first, end - first};
}

static struct cg_piece half(struct cg_piece whole, int which)
{
    int first_half = (whole.count + 1) / 2;

    if (which == 0)
        return (struct cg_piece){whole.first, first_half};
    return (struct cg_piece){whole.first + first_half, whole.count - first_half};
}

static struct cg_piece relative_to(struct cg_piece piece, int first)
{
    return (struct cg_piece){piece.first - first, piece.count};
}

/* As many grid columns as rows: the pieces along columns are those along rows,
 * and the whole of w is summed by everyone in the grid row. */
static void split_square(struct cg_grid *grid, int n)
{
    grid->block_cols = cut(n, grid->cols, grid->col);
    grid->keep = (struct cg_piece){0, grid->block_rows.count};
    grid->give = grid->keep;
    grid->transposed = grid->col * grid->cols + grid->row;
}

/* Twice as many columns as rows: a piece along columns is half of one along
 * rows. The first exchange of a sum trades halves of w, the others keep to one. */
static void split_wide(struct cg_grid *grid, int n)
{
    int odd = grid->col % 2;
    struct cg_piece rows = grid->block_rows;

    grid->block_cols = half(cut(n, grid->rows, grid->col / 2), odd);
    grid->keep = relative_to(half(rows, odd), rows.first);
    grid->give = relative_to(half(rows, !odd), rows.first);
    grid->transposed = (grid->col / 2) * grid->cols + 2 * grid->row + odd;
}

bool cg_grid_init(struct cg_grid *grid, const struct npb_run *run, int n)
{
    int log = npb_log2(run->size);

    grid->rows = 1 << log / 2;
    grid->cols = run->size / grid->rows;
    grid->row = run->rank / grid->cols;
    grid->col = run->rank % grid->cols;
    if (grid->cols > n)
        return false;
    grid->block_rows = cut(n, grid->rows, grid->row);
    if (grid->cols == grid->rows)
        split_square(grid, n);
    else
        split_wide(grid, n);

    grid->steps = npb_log2(grid->cols);
    for (int step = 0; step < grid->steps; step++)
        grid->partner[step] = grid->row * grid->cols + (grid->col ^ 1 << step);
    return true;
}
