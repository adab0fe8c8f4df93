/* Metrics of the largest run: all of them in a list, or one of them as a tree. */
#include "views/by_thread.h"
#include "views/figures.h"
#include "views/selection.h"
#include "views/weighed.h"
#include "views/looking.h"

#include <math.h>
#include <string.h>

#define WORTH 1e-9 /* of the whole: what is less is rounding, */
#define SHOWN 1e-3 /* and is left out of the text */

enum {
    WHOLE,
    OWN,
    SHARE,
    LEAST,
    MIDDLE,
    MOST,
    MOST_RANK,
    RANKS,
    BY_RANK,
    OWN_BY_RANK,
    TREE_COLUMNS
};

static const struct sca_column of_tree[TREE_COLUMNS] = {
    [WHOLE] = {"inclusive", "inclusive", SCA_CELL_NUMBER},
    [OWN] = {"exclusive", "own", SCA_CELL_NUMBER},
    [SHARE] = {"share", NULL, SCA_CELL_SHARE},
    [LEAST] = {"least", "least", SCA_CELL_NUMBER},
    [MIDDLE] = {"median", NULL, SCA_CELL_NUMBER},
    [MOST] = {"most", "most", SCA_CELL_NUMBER},
    [MOST_RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [BY_RANK] = {"inclusive_by_rank", NULL, SCA_CELL_SERIES},
    [OWN_BY_RANK] = {"exclusive_by_rank", NULL, SCA_CELL_SERIES},
};

enum { METRIC, UNIT, TOTAL, LIST_LEAST, LIST_MIDDLE, LIST_MOST, LIST_RANK, ABSENT, LIST_COLUMNS };

static const struct sca_column of_list[LIST_COLUMNS] = {
    [METRIC] = {"metric", NULL, SCA_CELL_TEXT},
    [UNIT] = {"unit", NULL, SCA_CELL_TEXT},
    [TOTAL] = {"total", "all ranks", SCA_CELL_NUMBER},
    [LIST_LEAST] = {"least", "least", SCA_CELL_NUMBER},
    [LIST_MIDDLE] = {"median", "median", SCA_CELL_NUMBER},
    [LIST_MOST] = {"most", "most", SCA_CELL_NUMBER},
    [LIST_RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [ABSENT] = {"absent", NULL, SCA_CELL_TEXT},
};

struct over_the_ranks {
    double least, middle, most, most_rank;
};

/* ---- over the ranks ---- */

/* What there is none of, counts for no rank. */
static struct over_the_ranks spread_of(struct sca_workspace *space, const struct sca_selection *s,
                                       const double *values)
{
    struct over_the_ranks spread = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double *sorted = sca_workspace_alloc(space, s->nranks, sizeof *sorted);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nranks; i++) {
        if (isnan(values[i]))
            continue;
        sorted[n++] = values[i];
        if (isnan(spread.most) || values[i] > spread.most) {
            spread.most = values[i];
            spread.most_rank = s->ranks[i];
        }
    }
    sca_figures_sort(sorted, n);
    spread.least = n ? sorted[0] : (double)NAN;
    spread.middle = sca_figures_quantile(sorted, n, 0.5);
    return spread;
}

/* ---- one metric ---- */

struct tree {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    struct sca_selected m;
    struct sca_table *out;
    double all; /* of all selected contexts and ranks */
    bool *shown;
};

/* By which contexts are chosen: of a ratio, what is divided; of what is signed, its size. */
static double weight_of(const struct tree *t, uint32_t v)
{
    double weight = 0;
    for (uint32_t i = 0; i < t->s->nranks; i++)
        weight += fabs(t->m.of[1][(size_t)v * t->s->nranks + i]);
    return weight;
}

static struct sca_weighed *weigh(const struct tree *t, uint32_t *n, double *whole)
{
    struct sca_weighed *list =
        sca_workspace_alloc(t->in->space, t->in->ppg->nvertices, sizeof *list);
    double all = 0;
    for (uint32_t i = 0; i < t->s->nroots; i++)
        all += weight_of(t, t->s->roots[i]);
    for (uint32_t i = 0; i < t->s->nroots; i++)
        for (uint32_t v = t->s->roots[i]; v < t->s->ends[t->s->roots[i]]; v++) {
            double weight = weight_of(t, v);
            if (weight > WORTH * all)
                list[(*n)++] = (struct sca_weighed){v, weight};
        }
    sca_weighed_sort(list, *n);
    *whole = all;
    return list;
}

/* The heaviest; a context's parent has at least as much, but of what is signed. */
static void choose(struct tree *t)
{
    uint32_t n = 0;
    double whole;
    const struct sca_weighed *list = weigh(t, &n, &whole);
    t->shown = sca_workspace_alloc(t->in->space, t->in->ppg->nvertices, sizeof *t->shown);
    for (uint32_t i = 0; i < n; i++)
        if (!t->in->top || (i < t->in->top && list[i].weight > SHOWN * whole))
            t->shown[list[i].vertex] = true;
        else
            t->out->left_out++;
}

static double *values_of(const struct tree *t, uint32_t v, bool inclusive)
{
    double *values = sca_workspace_alloc(t->in->space, t->s->nranks, sizeof *values);
    for (uint32_t i = 0; i < t->s->nranks; i++)
        values[i] = sca_selection_value(t->s, &t->m, v, inclusive, i);
    return values;
}

static struct sca_cell series(const struct tree *t, const double *values)
{
    return (struct sca_cell){.series = values, .count = t->s->nranks};
}

static void add_row(const struct tree *t, uint32_t v, uint32_t depth, const double *ranks)
{
    const double *by_rank = values_of(t, v, true);
    struct over_the_ranks spread = spread_of(t->in->space, t->s, by_rank);
    struct sca_row *row = sca_table_row(t->out, &t->in->ppg->vertices[v]);
    bool ratio = sca_metric_is_ratio(t->m.metric);
    row->depth = depth;
    row->cells[WHOLE].number = sca_selection_whole(t->s, &t->m, v, true);
    row->cells[OWN].number = sca_selection_whole(t->s, &t->m, v, false);
    row->cells[SHARE].number =
        ratio || t->all <= 0 ? (double)NAN : row->cells[WHOLE].number / t->all;
    row->cells[LEAST].number = spread.least;
    row->cells[MIDDLE].number = spread.middle;
    row->cells[MOST].number = spread.most;
    row->cells[MOST_RANK].number = spread.most_rank;
    row->cells[RANKS] = series(t, ranks);
    row->cells[BY_RANK] = series(t, by_rank);
    row->cells[OWN_BY_RANK] = series(t, values_of(t, v, false));
}

/* How many of those above it are shown. */
static uint32_t depth_of(const struct tree *t, uint32_t v, uint32_t root)
{
    uint32_t depth = 0;
    while (v != root) {
        v = t->in->ppg->vertices[v].parent;
        depth += t->shown[v];
    }
    return depth;
}

static void add_rows(const struct tree *t)
{
    double *ranks = sca_workspace_alloc(t->in->space, t->s->nranks, sizeof *ranks);
    for (uint32_t i = 0; i < t->s->nranks; i++)
        ranks[i] = t->s->ranks[i];
    for (uint32_t i = 0; i < t->s->nroots; i++) {
        uint32_t root = t->s->roots[i];
        for (uint32_t v = root; v < t->s->ends[root]; v++)
            if (t->shown[v])
                add_row(t, v, depth_of(t, v, root), ranks);
    }
}

static void note_clock(const struct sca_selection *s, const struct scalana_metric *metric,
                       struct sca_table *out)
{
    if (s->source.replayed->shared && (!metric || metric->id == SCALANA_METRIC_MPI_TIME))
        sca_table_note(out, "Ranks shared cores: mpi_time is measured wall time, mostly "
                            "scheduling. waiting is replayed, assuming one core per rank.");
}

static const char *whose(struct sca_table *out, const struct sca_selection *s)
{
    uint32_t nranks = s->source.run->nranks;
    return s->nranks == nranks ? sca_table_text(out, "%u ranks", nranks)
                               : sca_table_text(out, "%u of %u ranks", s->nranks, nranks);
}

static void show_tree(const struct sca_view_input *in, const struct sca_selection *s,
                      struct sca_table *out)
{
    const struct scalana_metric *metric = s->metric;
    struct tree t = {.in = in, .s = s, .out = out};
    out->columns = of_tree;
    out->ncolumns = TREE_COLUMNS;
    out->title = sca_table_text(out, "%s on %s: %s (%s), %s", in->ppg->program, whose(out, s),
                                metric->name, metric->unit, metric->meaning);
    if (*metric->absent) {
        sca_table_note(out, "n/a: %s.", metric->absent);
        return;
    }
    sca_selection_load(in->space, s, metric, &t.m);
    for (uint32_t i = 0; i < s->nroots; i++)
        t.all += sca_selection_whole(s, &t.m, s->roots[i], true);
    choose(&t);
    add_rows(&t);
    if (!out->nrows)
        sca_table_note(out, "No context has any of it.");
    note_clock(s, metric, out);
}

/* ---- all metrics ---- */

static void fill_figures(const struct sca_view_input *in, const struct sca_selection *s,
                         const struct scalana_metric *metric, struct sca_cell *cells)
{
    struct sca_workspace scratch = {.out_of_memory = in->space->out_of_memory};
    double *values = sca_workspace_alloc(&scratch, s->nranks, sizeof *values);
    struct sca_selected_ranks m;
    sca_selection_sum(&scratch, s, metric, &m);
    for (uint32_t i = 0; i < s->nranks; i++)
        values[i] = sca_selection_of_some(s, &m, &i, 1);
    struct over_the_ranks spread = spread_of(&scratch, s, values);
    cells[TOTAL].number = sca_selection_of_some(s, &m, NULL, 0);
    cells[LIST_LEAST].number = spread.least;
    cells[LIST_MIDDLE].number = spread.middle;
    cells[LIST_MOST].number = spread.most;
    cells[LIST_RANK].number = spread.most_rank;
    sca_workspace_free(&scratch);
}

static void add_metric(const struct sca_view_input *in, const struct sca_selection *s,
                       const struct scalana_metric *metric, struct sca_table *out)
{
    struct sca_row *row = sca_table_row(out, NULL);
    row->label = sca_table_text(out, "%s (%s)", metric->name, metric->unit);
    row->depth = metric->parent != SCALANA_NONE;
    row->cells[METRIC].text = sca_table_text(out, "%s", metric->name);
    row->cells[UNIT].text = sca_table_text(out, "%s", metric->unit);
    row->cells[ABSENT].text = sca_table_text(out, "%s", metric->absent);
    row->detail = *metric->absent ? sca_table_text(out, "n/a: %s", metric->absent)
                                  : sca_table_text(out, "%s", metric->meaning);
    for (int c = TOTAL; c <= LIST_RANK; c++)
        row->cells[c].number = (double)NAN;
    if (!*metric->absent)
        fill_figures(in, s, metric, row->cells);
}

static void show_list(const struct sca_view_input *in, const struct sca_selection *s,
                      struct sca_table *out)
{
    out->columns = of_list;
    out->ncolumns = LIST_COLUMNS;
    out->title = sca_table_text(out, "%s on %s: metrics%s%s", in->ppg->program, whose(out, s),
                                in->settings->root ? " of " : "",
                                in->settings->root ? in->settings->root : "");
    for (uint32_t i = 0; i < s->catalogue.n; i++)
        add_metric(in, s, &s->catalogue.rows[i], out);
    sca_table_note(out, "--metric=NAME shows the places of a metric, from main down.");
    note_clock(s, NULL, out);
}

static const struct scalana_metric *usual_of_threads(const struct sca_selection *s)
{
    return sca_metric_catalogue_get(&s->catalogue, SCALANA_METRIC_COMPUTATION);
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct sca_selection *s;
    out->status = sca_selection_make(in, c, &s);
    if (out->status == SCALANA_OK && in->settings->by_thread)
        sca_by_thread_metric(in, s, s->metric ? s->metric : usual_of_threads(s), out);
    else if (out->status == SCALANA_OK && s->metric)
        show_tree(in, s, out);
    else if (out->status == SCALANA_OK)
        show_list(in, s, out);
}

void sca_view_metrics(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
