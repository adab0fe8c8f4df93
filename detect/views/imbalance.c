/* Imbalance: how the ranks' own computation, or another metric, in a place or call path differs,
 * and what a perfect division would save at most. */
#include "views/call_names.h"
#include "views/figures.h"
#include "text/lines.h"
#include "views/selection.h"
#include "sca_error.h"
#include "views/looking.h"

#include <math.h>
#include <stdlib.h>

enum { TOP_RANKS = 5, BINS = 10 };

enum {
    LOSS,
    SHARE,
    RATIO,
    CHANCE,
    MEAN,
    MOST,
    MOST_RANKS,
    MOST_SECONDS,
    PERCENTILES,
    BIN_EDGES,
    HISTOGRAM,
    VERTICES,
    COLUMNS
};

static const struct sca_column of_time[COLUMNS] = {
    [LOSS] = {"loss_core_s", "loss", SCA_CELL_SECONDS},
    [SHARE] = {"loss_share", "share", SCA_CELL_SHARE},
    [RATIO] = {"max_over_mean", "max/mean", SCA_CELL_RATIO},
    [CHANCE] = {"max_over_mean_by_chance", "by chance", SCA_CELL_RATIO},
    [MEAN] = {"mean_s", "mean s", SCA_CELL_SECONDS},
    [MOST] = {"max_s", "max s", SCA_CELL_SECONDS},
    [MOST_RANKS] = {"top_ranks", NULL, SCA_CELL_SERIES},
    [MOST_SECONDS] = {"top_ranks_s", NULL, SCA_CELL_SERIES},
    [PERCENTILES] = {"percentiles_s", NULL, SCA_CELL_SERIES}, /* 0 5 25 50 75 95 100 */
    [BIN_EDGES] = {"histogram_edges_s", NULL, SCA_CELL_SERIES},
    [HISTOGRAM] = {"histogram", NULL, SCA_CELL_SERIES},
    [VERTICES] = {"vertices", NULL, SCA_CELL_SERIES},
};

static const struct sca_column of_metric[COLUMNS] = {
    [LOSS] = {"beyond_mean", "beyond", SCA_CELL_NUMBER},
    [SHARE] = {"beyond_mean_share", "share", SCA_CELL_SHARE},
    [RATIO] = {"max_over_mean", "max/mean", SCA_CELL_RATIO},
    [CHANCE] = {"max_over_mean_by_chance", NULL, SCA_CELL_RATIO},
    [MEAN] = {"mean", "mean", SCA_CELL_NUMBER},
    [MOST] = {"max", "max", SCA_CELL_NUMBER},
    [MOST_RANKS] = {"top_ranks", NULL, SCA_CELL_SERIES},
    [MOST_SECONDS] = {"top_ranks_values", NULL, SCA_CELL_SERIES},
    [PERCENTILES] = {"percentiles", NULL, SCA_CELL_SERIES},
    [BIN_EDGES] = {"histogram_edges", NULL, SCA_CELL_SERIES},
    [HISTOGRAM] = {"histogram", NULL, SCA_CELL_SERIES},
    [VERTICES] = {"vertices", NULL, SCA_CELL_SERIES},
};

static const double parts[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
enum { PARTS = sizeof parts / sizeof *parts };

struct uneven_entry {
    const struct sca_source_place *place;
    double mean, most, loss, samples;
};

struct measured { /* own values, [vertex * nranks + rank] */
    const struct sca_ppg *ppg;
    uint32_t nranks;
    const double *of, *per; /* per: NULL but for a ratio */
    double scale, total;    /* total: of what shares are */
    const double *samples;  /* per vertex; NULL: it is not sampled */
    const char *unit;       /* "" where the figures are of any size */
};

/* Of each rank in the place, all call paths together; a ratio to nothing is 0. */
static void fill_row(const struct measured *m, const struct sca_source_place *place, double *row)
{
    for (uint32_t r = 0; r < m->nranks; r++) {
        double of = 0, per = 0;
        for (uint32_t i = 0; i < place->count; i++) {
            size_t at = (size_t)place->vertices[i] * m->nranks + r;
            of += m->of[at];
            per += m->per ? m->per[at] : 0;
        }
        row[r] = !m->per ? of : per > 0 ? of / per * m->scale : 0;
    }
}

static int by_loss(const void *a, const void *b)
{
    const struct uneven_entry *x = a, *y = b;
    if (x->loss != y->loss)
        return x->loss < y->loss ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static struct uneven_entry measure(const struct measured *m, const struct sca_source_place *place,
                                   double *row)
{
    struct uneven_entry e = {.place = place, .most = -HUGE_VAL};
    fill_row(m, place, row);
    for (uint32_t r = 0; r < m->nranks; r++) {
        e.mean += row[r] / m->nranks;
        e.most = fmax(e.most, row[r]);
    }
    for (uint32_t i = 0; i < place->count && m->samples; i++)
        e.samples += m->samples[place->vertices[i]];
    e.loss = (e.most - e.mean) * m->nranks;
    return e;
}

static int by_row(const void *a, const void *b, void *row)
{
    const double *seconds = row;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (seconds[x] != seconds[y])
        return seconds[x] < seconds[y] ? 1 : -1;
    return (x > y) - (x < y);
}

/* The slowest ranks: their numbers and seconds. */
static uint32_t find_top(struct sca_workspace *space, const double *row, uint32_t nranks,
                         struct sca_cell *ranks, struct sca_cell *seconds)
{
    uint32_t *order = sca_workspace_alloc(space, nranks, sizeof *order);
    uint32_t n = nranks < TOP_RANKS ? nranks : TOP_RANKS;
    double *numbers = sca_workspace_alloc(space, n, sizeof(double));
    double *values = sca_workspace_alloc(space, n, sizeof(double));
    for (uint32_t r = 0; r < nranks; r++)
        order[r] = r;
    qsort_r(order, nranks, sizeof *order, by_row, (void *)(uintptr_t)row);
    for (uint32_t i = 0; i < n; i++) {
        numbers[i] = order[i];
        values[i] = row[order[i]];
    }
    *ranks = (struct sca_cell){.series = numbers, .count = n};
    *seconds = (struct sca_cell){.series = values, .count = n};
    return n;
}

static void fill_percentiles(struct sca_workspace *space, const double *sorted, uint32_t n,
                             struct sca_cell *out)
{
    double *values = sca_workspace_alloc(space, PARTS, sizeof(double));
    for (int i = 0; i < PARTS; i++)
        values[i] = sca_figures_quantile(sorted, n, parts[i]);
    *out = (struct sca_cell){.series = values, .count = PARTS};
}

static void fill_histogram(struct sca_workspace *space, const double *sorted, uint32_t n,
                           struct sca_cell *edges, struct sca_cell *counts)
{
    double *edge = sca_workspace_alloc(space, BINS + 1, sizeof(double));
    double *count = sca_workspace_alloc(space, BINS, sizeof(double));
    double least = sorted[0], width = (sorted[n - 1] - least) / BINS;
    for (int i = 0; i <= BINS; i++)
        edge[i] = least + i * width;
    for (uint32_t r = 0; r < n; r++) {
        double bin = width > 0 ? (sorted[r] - least) / width : 0;
        count[bin < BINS ? (int)bin : BINS - 1]++;
    }
    *edges = (struct sca_cell){.series = edge, .count = BINS + 1};
    *counts = (struct sca_cell){.series = count, .count = BINS};
}

static const char *describe(struct sca_table *t, const char *unit, const struct sca_row *row)
{
    const struct sca_cell *c = row->cells;
    const double *p = c[PERCENTILES].series, *h = c[HISTOGRAM].series;
    char a[SCA_FIGURE], b[SCA_FIGURE], d[SCA_FIGURE];
    const char *text = *unit ? "slowest: " : "most: ";
    for (uint32_t i = 0; i < c[MOST_RANKS].count; i++)
        text = sca_table_text(t, "%s%srank %.0f %s%s", text, i ? ", " : "", c[MOST_RANKS].series[i],
                              sca_table_figure(a, c[MOST_SECONDS].series[i]), unit);
    text = sca_table_text(t, "%s; 5 %% of the ranks under %s%s, half under %s%s, 95 %% under %s%s;",
                          text, sca_table_figure(a, p[1]), unit, sca_table_figure(b, p[3]), unit,
                          sca_table_figure(d, p[5]), unit);
    text = sca_table_text(t, "%s histogram from %s to %s%s:", text, sca_table_figure(a, p[0]),
                          sca_table_figure(b, p[6]), unit);
    for (int i = 0; i < BINS; i++)
        text = sca_table_text(t, "%s %.0f", text, h[i]);
    return text;
}

/* The greatest of n ranks with k samples each lies about that far out though all are alike. */
static double by_chance(const struct uneven_entry *e, uint32_t n)
{
    return e->samples > 0 ? 1 + sqrt(2 * log(n) * n / e->samples) : (double)NAN;
}

static struct sca_cell numbers_of(struct sca_workspace *space, const struct sca_source_place *place)
{
    double *numbers = sca_workspace_alloc(space, place->count, sizeof *numbers);
    for (uint32_t i = 0; i < place->count; i++)
        numbers[i] = place->vertices[i];
    return (struct sca_cell){.series = numbers, .count = place->count};
}

static void add(const struct sca_view_input *in, const struct measured *m,
                const struct uneven_entry *e, double *values, struct sca_table *out)
{
    uint32_t n = m->nranks, first = e->place->vertices[0];
    struct sca_row *row = sca_table_row(out, &in->ppg->vertices[first]);
    struct sca_cell *c = row->cells;
    c[LOSS].number = m->per ? (double)NAN : e->loss;
    c[SHARE].number = m->per ? (double)NAN : m->total > 0 ? e->loss / m->total : 0;
    c[RATIO].number = e->mean > 0 ? e->most / e->mean : NAN;
    c[CHANCE].number = by_chance(e, n);
    c[MEAN].number = e->mean;
    c[MOST].number = e->most;
    c[VERTICES] = numbers_of(in->space, e->place);
    fill_row(m, e->place, values);
    find_top(in->space, values, n, &c[MOST_RANKS], &c[MOST_SECONDS]);
    sca_figures_sort(values, n);
    fill_percentiles(in->space, values, n, &c[PERCENTILES]);
    fill_histogram(in->space, values, n, &c[BIN_EDGES], &c[HISTOGRAM]);
    row->detail = describe(out, m->unit, row);
    if (in->settings->by_path)
        row->detail =
            sca_table_text(out, "%s\n%s", sca_call_path(out, in->ppg, first), row->detail);
}

static struct sca_source_place *each_alone(struct sca_workspace *space, uint32_t n)
{
    struct sca_source_place *places = sca_workspace_alloc(space, n, sizeof *places);
    uint32_t *vertices = sca_workspace_alloc(space, n, sizeof *vertices);
    for (uint32_t v = 0; v < n; v++) {
        vertices[v] = v;
        places[v] = (struct sca_source_place){1, &vertices[v]};
    }
    return places;
}

static void show(const struct sca_view_input *in, const struct measured *m, struct sca_table *out)
{
    uint32_t n = in->ppg->nvertices, used = 0;
    struct sca_source_place *places = in->settings->by_path
                                          ? each_alone(in->space, n)
                                          : sca_figures_places_of(in->space, in->ppg, &n);
    struct uneven_entry *entries = sca_workspace_alloc(in->space, n, sizeof *entries);
    double *row = sca_workspace_alloc(in->space, m->nranks, sizeof *row);
    for (uint32_t i = 0; i < n; i++) {
        entries[used] = measure(m, &places[i], row);
        used += entries[used].most > in->settings->threshold;
    }
    qsort(entries, used, sizeof *entries, by_loss);
    for (uint32_t i = 0; i < used; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(in, m, &entries[i], row, out);
    if (!used)
        sca_table_note(out, "No rank has more than %g of it anywhere.", in->settings->threshold);
}

static void show_time(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    sca_figures_replayed(in->space, in->ppg, in->ppg->nruns - 1, in->waits, &f);
    double *samples = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *samples);
    for (uint32_t v = 0; v < in->ppg->nvertices; v++)
        samples[v] = (double)f.run->samples[v];
    const struct measured m = {in->ppg, f.run->nranks, f.run->comp, NULL,
                               1,       f.total,       samples,     " s"};
    out->columns = of_time;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(
        out, "%s on %u ranks: load imbalance; loss is ranks x (slowest - mean), core-s",
        in->ppg->program, m.nranks);
    show(in, &m, out);
}

/* As time is of ranks x duration: no place can have more beyond the mean. */
static double if_all_had_most(const struct measured *m)
{
    double most = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        double all = 0;
        for (uint32_t v = 0; v < m->ppg->nvertices; v++)
            all += fabs(m->of[(size_t)v * m->nranks + r]);
        most = fmax(most, all);
    }
    return most * m->nranks;
}

static void show_metric(const struct sca_view_input *in, const struct sca_analysis *c,
                        struct sca_table *out)
{
    struct sca_selection *s;
    struct sca_selected of;
    out->status = sca_selection_make(in, c, &s);
    if (out->status != SCA_OK)
        return;
    out->columns = of_metric;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(
        out, "%s on %u ranks: imbalance of %s (%s), %s; beyond is ranks x (most - mean)",
        in->ppg->program, s->nranks, s->metric->name, s->metric->unit, s->metric->meaning);
    if (*s->metric->absent) {
        sca_table_note(out, "n/a: %s.", s->metric->absent);
        return;
    }
    sca_selection_load(in->space, s, s->metric, &of);
    struct measured m = {in->ppg, s->nranks, of.of[0], of.per[0], s->metric->scale, 0, NULL, ""};
    m.total = if_all_had_most(&m);
    if (!m.per)
        sca_table_note(out, "share: of ranks x what the rank with most has in the whole program.");
    show(in, &m, out);
}

void sca_view_imbalance(const struct sca_view_input *in, struct sca_table *out)
{
    if (in->settings->metric)
        sca_looking_at(in, show_metric, out);
    else
        show_time(in, out);
}
