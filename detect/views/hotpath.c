/* Where the time, or another metric, goes: from main or another root down to where it spreads over
 * several parts. */
#include "views/figures.h"
#include "views/selection.h"
#include "sca_error.h"
#include "views/looking.h"

#include <math.h>
#include <stdlib.h>

#define HEAVY 0.5  /* a child with that part of its parent's is the path's next step */
#define WORTH 0.02 /* of the root's: parts of the last step that are shown */

enum { WHOLE, SHARE, OWN, MPI, COLUMNS };

static const struct sca_column of_time[COLUMNS] = {
    [WHOLE] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [OWN] = {"own_core_s", "own", SCA_CELL_SECONDS},
    [MPI] = {"mpi_core_s", "in MPI", SCA_CELL_SECONDS},
};

static const struct sca_column of_metric[MPI] = {
    [WHOLE] = {"inclusive", "inclusive", SCA_CELL_NUMBER},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [OWN] = {"exclusive", "own", SCA_CELL_NUMBER},
};

struct path_weights { /* per vertex, over all ranks */
    const struct sca_ppg *ppg;
    double *inclusive;
    const double *own, *mpi; /* mpi: NULL but of time */
    double whole;            /* of the program */
};

static void add(struct sca_table *t, const struct path_weights *w, uint32_t v, uint32_t depth,
                bool on_path)
{
    struct sca_row *row = sca_table_row(t, &w->ppg->vertices[v]);
    row->depth = depth;
    row->bold = on_path;
    row->cells[WHOLE].number = w->inclusive[v];
    row->cells[SHARE].number = w->whole > 0 ? w->inclusive[v] / w->whole : 0;
    row->cells[OWN].number = w->own[v];
    if (w->mpi)
        row->cells[MPI].number = w->mpi[v];
}

static int by_weight(const void *a, const void *b, void *weights)
{
    const double *t = weights;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return t[x] != t[y] ? (t[x] < t[y] ? 1 : -1) : (x > y) - (x < y);
}

/* The children of a vertex, heaviest first. */
static uint32_t children_of(const struct path_weights *w, uint32_t parent, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t v = parent + 1; v < w->ppg->nvertices; v++)
        if (w->ppg->vertices[v].parent == parent)
            out[n++] = v;
    qsort_r(out, n, sizeof *out, by_weight, w->inclusive);
    return n;
}

/* From a root down; the parts of its last step behind it. */
static void walk(const struct sca_view_input *in, const struct path_weights *w, uint32_t root,
                 struct sca_table *out)
{
    uint32_t *children = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *children);
    double stop = in->settings->stop > 0 ? in->settings->stop : HEAVY;
    uint32_t at = root, depth = 0, n;
    add(out, w, root, 0, true);
    while ((n = children_of(w, at, children)) && w->inclusive[children[0]] > 0 &&
           w->inclusive[children[0]] >= stop * w->inclusive[at]) {
        at = children[0];
        add(out, w, at, ++depth, true);
    }
    for (uint32_t i = 0; i < n && w->inclusive[children[i]] > WORTH * w->inclusive[root]; i++) {
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(out, w, children[i], depth + 1, false);
    }
}

/* Of several contexts that the root names. */
static uint32_t heaviest(const struct path_weights *w, const uint32_t *roots, uint32_t n)
{
    uint32_t best = roots[0];
    for (uint32_t i = 1; i < n; i++)
        if (w->inclusive[roots[i]] > w->inclusive[best])
            best = roots[i];
    return best;
}

/* ---- time ---- */

static void show_time(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    uint32_t *roots, nroots;
    sca_ppg_ends(in->ppg, ends);
    out->status =
        sca_selection_roots(in->space, in->ppg, ends, in->settings->root, &roots, &nroots);
    if (out->status != SCA_OK)
        return;
    sca_figures_replayed(in->space, in->ppg, in->ppg->nruns - 1, in->waits, &f);
    const struct path_weights w = {in->ppg, f.inclusive, f.own, f.mpi, f.total};
    out->columns = of_time;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: the hot path, heaviest call first",
                                in->ppg->program, f.run->nranks);
    walk(in, &w, heaviest(&w, roots, nroots), out);
}

/* ---- another metric ---- */

static double *over_the_ranks(const struct sca_view_input *in, const struct sca_selection *s,
                              const struct sca_selected *m, bool inclusive)
{
    double *sums = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *sums);
    for (uint32_t v = 0; v < in->ppg->nvertices; v++)
        sums[v] = sca_selection_whole(s, m, v, inclusive);
    return sums;
}

static void show_metric(const struct sca_view_input *in, const struct sca_analysis *c,
                        struct sca_table *out)
{
    struct sca_selection *s;
    struct sca_selected m;
    out->status = sca_selection_make(in, c, &s);
    if (out->status == SCA_OK && sca_metric_is_ratio(s->metric))
        out->status =
            sca_fail(SCA_EINVAL, "--metric=%s: a ratio cannot be added up along calls; %s can",
                     s->metric->name, sca_metric_catalogue_get(&s->catalogue, s->metric->of)->name);
    if (out->status != SCA_OK)
        return;
    out->columns = of_metric;
    out->ncolumns = MPI;
    out->title =
        sca_table_text(out, "%s on %u ranks: the hot path of %s (%s), %s", in->ppg->program,
                       s->nranks, s->metric->name, s->metric->unit, s->metric->meaning);
    if (*s->metric->absent) {
        sca_table_note(out, "n/a: %s.", s->metric->absent);
        return;
    }
    sca_selection_load(in->space, s, s->metric, &m);
    struct path_weights w = {.ppg = in->ppg, .inclusive = over_the_ranks(in, s, &m, true)};
    w.own = over_the_ranks(in, s, &m, false);
    w.whole = w.inclusive[0];
    walk(in, &w, heaviest(&w, s->roots, s->nroots), out);
}

void sca_view_hotpath(const struct sca_view_input *in, struct sca_table *out)
{
    if (in->settings->metric)
        sca_looking_at(in, show_metric, out);
    else
        show_time(in, out);
}
