/* Load imbalance: how the ranks' own computation in a place differs, and what a perfect division
 * would save at most. */
#include "views/figures.h"
#include "text/lines.h"
#include "views/view.h"

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
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
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
};

static const double parts[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
enum { PARTS = sizeof parts / sizeof *parts };

struct uneven_entry {
    const struct sca_source_place *place;
    double mean, most, loss, samples;
};

/* Computation of each rank in the place, all call paths together. */
static void fill_row(const struct sca_figures *f, const struct sca_source_place *place, double *row)
{
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        row[r] = 0;
        for (uint32_t i = 0; i < place->count; i++)
            row[r] += f->run->comp[(size_t)place->vertices[i] * f->run->nranks + r];
    }
}

static int by_loss(const void *a, const void *b)
{
    const struct uneven_entry *x = a, *y = b;
    if (x->loss != y->loss)
        return x->loss < y->loss ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static struct uneven_entry measure(const struct sca_figures *f,
                                   const struct sca_source_place *place, double *row)
{
    struct uneven_entry e = {.place = place};
    fill_row(f, place, row);
    for (uint32_t r = 0; r < f->run->nranks; r++) {
        e.mean += row[r] / f->run->nranks;
        e.most = fmax(e.most, row[r]);
    }
    for (uint32_t i = 0; i < place->count; i++)
        e.samples += f->run->samples[place->vertices[i]];
    e.loss = (e.most - e.mean) * f->run->nranks;
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

static const char *describe(struct sca_table *t, const struct sca_row *row)
{
    const struct sca_cell *c = row->cells;
    const double *p = c[PERCENTILES].series, *h = c[HISTOGRAM].series;
    char a[32], b[32], d[32];
    const char *text = "slowest: ";
    for (uint32_t i = 0; i < c[MOST_RANKS].count; i++)
        text = sca_table_text(t, "%s%srank %.0f %s s", text, i ? ", " : "", c[MOST_RANKS].series[i],
                              sca_lines_seconds(a, c[MOST_SECONDS].series[i]));
    text = sca_table_text(t, "%s; 5 %% of the ranks under %s s, half under %s s, 95 %% under %s s;",
                          text, sca_lines_seconds(a, p[1]), sca_lines_seconds(b, p[3]),
                          sca_lines_seconds(d, p[5]));
    text = sca_table_text(t, "%s histogram from %s to %s s:", text, sca_lines_seconds(a, p[0]),
                          sca_lines_seconds(b, p[6]));
    for (int i = 0; i < BINS; i++)
        text = sca_table_text(t, "%s %.0f", text, h[i]);
    return text;
}

/* The greatest of n ranks with k samples each lies about that far out though all are alike. */
static double by_chance(const struct uneven_entry *e, uint32_t n)
{
    return e->samples > 0 ? 1 + sqrt(2 * log(n) * n / e->samples) : (double)NAN;
}

static void add(const struct sca_view_input *in, const struct sca_figures *f,
                const struct uneven_entry *e, double *values, struct sca_table *out)
{
    uint32_t n = f->run->nranks;
    struct sca_row *row = sca_table_row(out, &in->ppg->vertices[e->place->vertices[0]]);
    struct sca_cell *c = row->cells;
    c[LOSS].number = e->loss;
    c[SHARE].number = f->total > 0 ? e->loss / f->total : 0;
    c[RATIO].number = e->mean > 0 ? e->most / e->mean : NAN;
    c[CHANCE].number = by_chance(e, n);
    c[MEAN].number = e->mean;
    c[MOST].number = e->most;
    fill_row(f, e->place, values);
    find_top(in->space, values, n, &c[MOST_RANKS], &c[MOST_SECONDS]);
    sca_figures_sort(values, n);
    fill_percentiles(in->space, values, n, &c[PERCENTILES]);
    fill_histogram(in->space, values, n, &c[BIN_EDGES], &c[HISTOGRAM]);
    row->detail = describe(out, row);
}

void sca_view_imbalance(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    uint32_t n = 0, used = 0;
    struct sca_source_place *places = sca_figures_places_of(in->space, in->ppg, &n);
    struct uneven_entry *entries = sca_workspace_alloc(in->space, n, sizeof *entries);
    sca_figures_of(in->space, in->ppg, in->ppg->nruns - 1, &f);
    double *row = sca_workspace_alloc(in->space, f.run->nranks, sizeof *row);
    for (uint32_t i = 0; i < n; i++) {
        entries[used] = measure(&f, &places[i], row);
        used += entries[used].most > 0;
    }
    qsort(entries, used, sizeof *entries, by_loss);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(
        out, "%s on %u ranks: load imbalance; loss is ranks x (slowest - mean), core-s",
        in->ppg->program, f.run->nranks);
    for (uint32_t i = 0; i < used; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(in, &f, &entries[i], row, out);
}
