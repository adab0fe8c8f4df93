/* Where the time goes: from main down to where it spreads over several parts. */
#include "views/figures.h"
#include "views/view.h"

#include <stdlib.h>

#define HEAVY 0.5  /* a child with that part of its parent's time is the path's next step */
#define WORTH 0.02 /* of all time: parts of the last step that are shown */

enum { CORE_S, SHARE, OWN, MPI, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [CORE_S] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [OWN] = {"own_core_s", "own", SCA_CELL_SECONDS},
    [MPI] = {"mpi_core_s", "in MPI", SCA_CELL_SECONDS},
};

static void add(struct sca_table *t, const struct sca_figures *f, uint32_t v, uint32_t depth,
                bool on_path)
{
    struct sca_row *row = sca_table_row(t, &f->ppg->vertices[v]);
    row->depth = depth;
    row->bold = on_path;
    row->cells[CORE_S].number = f->inclusive[v];
    row->cells[SHARE].number = f->total > 0 ? f->inclusive[v] / f->total : 0;
    row->cells[OWN].number = f->own[v];
    row->cells[MPI].number = f->mpi[v];
}

static int by_time(const void *a, const void *b, void *times)
{
    const double *t = times;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return t[x] != t[y] ? (t[x] < t[y] ? 1 : -1) : (x > y) - (x < y);
}

/* The children of a vertex, heaviest first. */
static uint32_t children_of(const struct sca_figures *f, uint32_t parent, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t v = parent + 1; v < f->ppg->nvertices; v++)
        if (f->ppg->vertices[v].parent == parent)
            out[n++] = v;
    qsort_r(out, n, sizeof *out, by_time, f->inclusive);
    return n;
}

void sca_view_hotpath(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    uint32_t *children = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *children);
    uint32_t at = 0, depth = 0, n;
    sca_figures_of(in->space, in->ppg, in->ppg->nruns - 1, &f);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: the hot path, heaviest call first",
                                in->ppg->program, f.run->nranks);
    add(out, &f, 0, 0, true);
    while ((n = children_of(&f, at, children)) && f.inclusive[children[0]] > 0 &&
           f.inclusive[children[0]] >= HEAVY * f.inclusive[at]) {
        at = children[0];
        add(out, &f, at, ++depth, true);
    }
    for (uint32_t i = 0; i < n && f.inclusive[children[i]] > WORTH * f.total; i++) {
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(out, &f, children[i], depth + 1, false);
    }
}
