/* How metrics go with the number of ranks: a line through the runs in logarithms for each context,
 * as models of scaling have it for time (SC'20, IV-A). */
#include "views/grown.h"
#include "views/selection.h"
#include "views/weighed.h"
#include "sca_error.h"
#include "views/looking.h"

#include <math.h>
#include <string.h>

enum {
    BEYOND,
    SLOPE,
    LOW,
    HIGH,
    IDEAL,
    GROWS,
    FEWEST,
    MIDDLE, /* columns of text: runs on numbers of ranks between the two */
    LAST_MIDDLE = MIDDLE + 2,
    MOST,
    RANKS,
    PER_RANK,
    METRIC,
    UNIT,
    ABSENT,
    COLUMNS
};

struct growing {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    struct sca_grown_runs of;
    struct sca_table *out;
};

/* ---- runs between the fewest and the most ranks ---- */

enum { MOST_MIDDLE = LAST_MIDDLE - MIDDLE + 1 };

static uint32_t places(const struct growing *g, uint32_t run)
{
    return sca_grown_places(&g->of, run);
}

static bool by_threads(const struct growing *g)
{
    return g->of.c->comparable.by_threads;
}

/* The first run of each number of ranks in between. */
static uint32_t list_middle(const struct growing *g, uint32_t *runs)
{
    uint32_t n = 0, last = g->of.o.nruns - 1;
    for (uint32_t i = 1; i <= last; i++)
        if (places(g, i) > places(g, i - 1) && places(g, i) < places(g, last))
            runs[n++] = i;
    return n;
}

/* As many of them as there are columns, spread evenly; SCA_NONE: none. */
static uint32_t middle_run(const struct growing *g, uint32_t column)
{
    uint32_t *runs = sca_workspace_alloc(g->in->space, g->of.o.nruns, sizeof *runs);
    uint32_t n = list_middle(g, runs);
    if (n <= MOST_MIDDLE)
        return column < n ? runs[column] : SCA_NONE;
    return runs[column * (n - 1) / (MOST_MIDDLE - 1)];
}

/* The mean of the runs on as many ranks. */
static double middle_value(const struct growing *g, uint32_t run)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = run; i < g->of.o.nruns && g->of.x[i] == g->of.x[run]; i++, n++)
        sum += g->of.y[i];
    return n ? sum / n : (double)NAN;
}

/* ---- rows ---- */

static struct sca_cell series(const struct growing *g, const double *values)
{
    double *copy = sca_workspace_alloc(g->in->space, g->of.o.nruns, sizeof *copy);
    memcpy(copy, values, g->of.o.nruns * sizeof *copy);
    return (struct sca_cell){.series = copy, .count = g->of.o.nruns};
}

static void fill_row(const struct growing *g, const struct sca_grown *k, struct sca_row *row)
{
    struct sca_cell *cells = row->cells;
    cells[BEYOND].number = k->beyond;
    cells[SLOPE].number = k->fits ? k->fit.slope : (double)NAN;
    cells[LOW].number = k->fits ? k->fit.low : (double)NAN;
    cells[HIGH].number = k->fits ? k->fit.high : (double)NAN;
    cells[IDEAL].number = k->ideal;
    cells[GROWS].text = sca_grown_certainly(k) ? "yes" : "no";
    cells[FEWEST].number = k->fewest;
    cells[MOST].number = k->most;
    for (uint32_t i = 0; i < MOST_MIDDLE; i++) {
        uint32_t run = middle_run(g, i);
        cells[MIDDLE + i].number = run == SCA_NONE ? (double)NAN : middle_value(g, run);
    }
    cells[RANKS] = series(g, g->of.x);
    cells[PER_RANK] = series(g, g->of.y);
    row->bold = sca_grown_certainly(k);
}

static void fill_metric(struct growing *g, const struct scalana_metric *metric, const char *absent,
                        struct sca_row *row)
{
    row->cells[METRIC].text = sca_table_text(g->out, "%s", metric->name);
    row->cells[UNIT].text = sca_table_text(g->out, "%s", metric->unit);
    row->cells[ABSENT].text = sca_table_text(g->out, "%s", absent);
}

static const char *head_of(const struct growing *g, uint32_t run)
{
    return sca_table_text(g->out, by_threads(g) ? "%u thr." : "on %u", places(g, run));
}

static void make_columns(const struct growing *g)
{
    static const struct sca_column fixed[COLUMNS] = {
        [BEYOND] = {"beyond", "beyond", SCA_CELL_NUMBER},
        [SLOPE] = {"slope", "slope", SCA_CELL_RATIO},
        [LOW] = {"slope_low", "from", SCA_CELL_RATIO},
        [HIGH] = {"slope_high", "to", SCA_CELL_RATIO},
        [IDEAL] = {"ideal", "ideal", SCA_CELL_RATIO},
        [GROWS] = {"grows", "grows", SCA_CELL_TEXT},
        [FEWEST] = {"fewest", NULL, SCA_CELL_NUMBER},
        [MOST] = {"most", NULL, SCA_CELL_NUMBER},
        [RANKS] = {"ranks", NULL, SCA_CELL_SERIES}, /* or "threads" */
        [PER_RANK] = {"per_rank", NULL, SCA_CELL_SERIES},
        [METRIC] = {"metric", NULL, SCA_CELL_TEXT},
        [UNIT] = {"unit", NULL, SCA_CELL_TEXT},
        [ABSENT] = {"absent", NULL, SCA_CELL_TEXT},
    };
    struct sca_column *columns = sca_workspace_alloc(g->in->space, COLUMNS, sizeof *columns);
    memcpy(columns, fixed, sizeof fixed);
    columns[RANKS].key = by_threads(g) ? "threads" : "ranks";
    columns[FEWEST].head = head_of(g, 0);
    for (uint32_t i = 0; i < MOST_MIDDLE; i++) {
        uint32_t run = middle_run(g, i);
        columns[MIDDLE + i] = (struct sca_column){"", NULL, SCA_CELL_NUMBER};
        if (run != SCA_NONE)
            columns[MIDDLE + i].head = head_of(g, run);
    }
    columns[MOST].head = head_of(g, g->of.o.nruns - 1);
    g->out->columns = columns;
    g->out->ncolumns = COLUMNS;
}

/* What the scale is called in a power law. */
static const char *scale(const struct growing *g)
{
    return by_threads(g) ? "T" : "P";
}

/* ---- one metric, by context ---- */

/* Of a ratio there is nothing beyond: by what is divided. */
static double weight_of(const struct growing *g, const struct scalana_metric *metric, uint32_t v)
{
    if (!sca_metric_is_ratio(metric))
        return sca_grown_at(&g->of, metric, v).beyond;
    const struct scalana_metric *of = sca_metric_catalogue_get(g->of.o.catalogue, metric->of);
    return sca_over_runs_value(&g->of.o, of, g->of.o.nruns - 1, v);
}

static bool has_any(const struct growing *g, const struct scalana_metric *metric, uint32_t v)
{
    for (uint32_t i = 0; i < g->of.o.nruns; i++)
        if (sca_over_runs_value(&g->of.o, metric, i, v) > 0)
            return true;
    return false;
}

/* What has any of the metric below the roots, by what is beyond. */
static struct sca_weighed *list(const struct growing *g, const struct scalana_metric *metric,
                                uint32_t *n)
{
    const struct sca_selection *s = g->s;
    struct sca_weighed *all = sca_workspace_alloc(g->in->space, g->in->ppg->nvertices, sizeof *all);
    *n = 0;
    for (uint32_t i = 0; i < s->nroots; i++)
        for (uint32_t v = s->roots[i]; v < s->ends[s->roots[i]]; v++)
            if (has_any(g, metric, v))
                all[(*n)++] = (struct sca_weighed){v, weight_of(g, metric, v)};
    sca_weighed_sort(all, *n);
    return all;
}

static bool *choose(const struct growing *g, const struct scalana_metric *metric)
{
    uint32_t n;
    const struct sca_weighed *all = list(g, metric, &n);
    bool *shown = sca_workspace_alloc(g->in->space, g->in->ppg->nvertices, sizeof *shown);
    for (uint32_t i = 0; i < n; i++)
        if (g->in->top && i >= g->in->top)
            g->out->left_out++;
        else
            shown[all[i].vertex] = true;
    return shown;
}

static const char *rule_of(const struct growing *g, const struct scalana_metric *metric)
{
    if (sca_metric_is_ratio(metric))
        return "ideal is constant";
    if (!sca_grown_with_work(metric->id))
        return sca_table_text(g->out, "beyond a rank's value on %u %s", places(g, 0),
                              by_threads(g) ? "threads" : "ranks");
    return sca_table_text(g->out, "ideal is %s^%.2g", scale(g), sca_grown_ideal(&g->of, metric));
}

static void show_contexts(struct growing *g, const struct scalana_metric *metric)
{
    const char *why = g->of.o.why[metric - g->of.o.catalogue->rows];
    g->out->title = sca_table_text(
        g->out,
        "%s: %s (%s) per rank grows as %s^slope (from, to: 95 %%); %s; beyond: "
        "excess of all ranks of the largest run",
        g->in->ppg->program, metric->name, metric->unit, scale(g), rule_of(g, metric));
    if (*why) {
        sca_table_note(g->out, "n/a: %s.", why);
        return;
    }
    const bool *shown = choose(g, metric);
    for (uint32_t v = 0; v < g->in->ppg->nvertices; v++) {
        if (!shown[v])
            continue;
        struct sca_row *row = sca_table_row(g->out, &g->in->ppg->vertices[v]);
        struct sca_grown k = sca_grown_at(&g->of, metric, v);
        row->depth = sca_weighed_depth(g->in->ppg, shown, v);
        fill_row(g, &k, row);
        fill_metric(g, metric, "", row);
    }
    if (!g->out->nrows)
        sca_table_note(g->out, "No context has any of it.");
}

/* ---- all metrics ---- */

/* The deepest of the contexts that have most of what is beyond. */
static const char *where_most(const struct growing *g, const struct scalana_metric *metric,
                              double beyond)
{
    uint32_t n, at = SCA_NONE;
    const struct sca_weighed *all = list(g, metric, &n);
    for (uint32_t i = 0; i < n && 2 * all[i].weight > beyond; i++)
        at = at == SCA_NONE || all[i].vertex > at ? all[i].vertex : at;
    if (at == SCA_NONE || !(beyond > 0))
        return NULL;
    return sca_table_text(g->out, "mostly: %s", sca_table_place(g->out, &g->in->ppg->vertices[at]));
}

static void add_metric(struct growing *g, uint32_t i)
{
    const struct scalana_metric *metric = &g->of.o.catalogue->rows[i];
    struct sca_row *row = sca_table_row(g->out, NULL);
    row->label = sca_table_text(g->out, "%s (%s)", metric->name, metric->unit);
    fill_metric(g, metric, g->of.o.why[i], row);
    for (int c = BEYOND; c <= MOST; c++)
        row->cells[c].number = (double)NAN;
    row->cells[GROWS].text = "-";
    if (*g->of.o.why[i]) {
        row->detail = sca_table_text(g->out, "n/a: %s", g->of.o.why[i]);
        return;
    }
    struct sca_grown k = sca_grown_at(&g->of, metric, g->s->roots[0]);
    fill_row(g, &k, row);
    if (sca_grown_certainly(&k))
        row->detail = where_most(g, metric, k.beyond);
}

static void show_list(struct growing *g)
{
    g->out->title = sca_table_text(g->out,
                                   "%s: metrics per rank grow as %s^slope (from, to: 95 %%); "
                                   "beyond: excess over the ideal, of all ranks of the largest run",
                                   g->in->ppg->program, scale(g));
    for (uint32_t i = 0; i < g->of.o.catalogue->n; i++)
        if (*g->of.o.why[i] || has_any(g, &g->of.o.catalogue->rows[i], g->s->roots[0]))
            add_metric(g, i);
    sca_table_note(g->out, "--metric=NAME shows where a metric grows.");
}

/* ---- the view ---- */

static bool shares_cores(const struct growing *g)
{
    for (uint32_t i = 0; i < g->of.o.nruns; i++)
        if (sca_view_shares_cores(g->of.o.runs[i].run))
            return true;
    return false;
}

static void note(const struct growing *g)
{
    const struct sca_analysis *c = g->of.c;
    bool has_wall_clock = !g->s->metric || g->s->metric->id == SCALANA_METRIC_MPI_TIME;
    if (has_wall_clock && shares_cores(g))
        sca_table_note(g->out, SCA_VIEW_SHARED);
    if (c->growths.open && !c->comparable.told)
        sca_table_note(g->out,
                       "Scaling mode uncertain: --scaling=strong or weak defines the ideal.");
    if (c->comparable.timed)
        sca_table_note(
            g->out, "The runs make different numbers of iterations; all values are per iteration.");
    if (places(g, 0) == places(g, g->of.o.nruns - 1))
        sca_table_note(
            g->out,
            "Growth compares several numbers of ranks, or of threads; these runs have one.");
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct sca_selection *s;
    struct growing g = {.in = in, .out = out};
    out->status = sca_selection_make(in, c, &s);
    if (out->status != SCA_OK)
        return;
    g.s = s;
    sca_grown_open(in->space, c, &s->catalogue, s->metric, &g.of);
    make_columns(&g);
    if (s->metric)
        show_contexts(&g, s->metric);
    else
        show_list(&g);
    note(&g);
}

void sca_view_scaling(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
