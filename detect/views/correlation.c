/* Correlation over the ranks: do those that compute longer in a place wait less, send more, miss
 * more in their caches? The coefficient of a place's time with each rank's figures. */
#include "report/counters.h"
#include "views/correlate.h"
#include "views/figures.h"
#include "views/pairwise.h"
#include "sca_phrase.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPUTATION, IN_MPI, CALLS, BYTES, FIXED };

struct variables {
    enum sca_method method;
    uint32_t n, nranks;
    const char *names[FIXED + SCA_MAX_METRICS];
    double *of[FIXED + SCA_MAX_METRICS]; /* [variable][rank] */
};

static void measure_rank(const struct sca_figures *f, uint32_t r, const struct sca_rank *rank,
                         struct variables *out)
{
    for (uint32_t v = 0; v < f->ppg->nvertices; v++) {
        size_t cell = (size_t)v * f->run->nranks + r;
        out->of[COMPUTATION][r] += f->run->comp[cell];
        out->of[IN_MPI][r] += f->run->mpi[cell];
    }
    for (uint32_t s = 0; s < rank->nsites; s++) {
        out->of[BYTES][r] += (double)rank->sites[s].bytes;
        if (f->run->site_vertex[rank->sites[s].site] != SCA_NONE)
            out->of[CALLS][r] += (double)rank->sites[s].count;
    }
    for (uint32_t i = 0; i < rank->nsamples; i++)
        for (uint32_t m = 0; m + FIXED < out->n && !rank->sample[i].in_mpi; m++)
            out->of[FIXED + m][r] += (double)rank->sample[i].metric[m];
}

static void measure(struct sca_workspace *space, const struct sca_figures *f, struct variables *out)
{
    static const char *const names[FIXED] = {"computation", "MPI time", "MPI calls", "bytes"};
    const struct sca_profile *p = f->run->profile;
    out->nranks = f->run->nranks;
    out->n = FIXED + p->nmetrics;
    for (uint32_t i = 0; i < out->n; i++) {
        out->names[i] = i < FIXED ? names[i] : p->metrics[i - FIXED];
        out->of[i] = sca_workspace_alloc(space, out->nranks, sizeof(double));
    }
    struct sca_opened *opened = sca_workspace_opened(space, p);
    for (uint32_t r = 0; r < out->nranks; r++)
        measure_rank(f, r, sca_rank_open(opened, r, SCA_OPEN_SITES | SCA_OPEN_SAMPLES), out);
}

struct correlated {
    const struct sca_source_place *place;
    double seconds;
};

static int by_seconds(const void *a, const void *b)
{
    const struct correlated *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static void fill(const struct variables *variables, const double *values, struct sca_table *out,
                 struct sca_row *row)
{
    uint32_t n = variables->n;
    double *chances = sca_workspace_alloc(out->space, n, sizeof *chances);
    for (uint32_t i = 0; i < n; i++) {
        double r = sca_correlate(out->space, variables->method, values, variables->of[i],
                                 variables->nranks);
        row->cells[i + 1].number = r;
        chances[i] = sca_correlate_chance(variables->method, r, variables->nranks);
    }
    row->cells[n + 1] = (struct sca_cell){.series = chances, .count = n};
}

static double sum(const double *values, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += values[i];
    return total;
}

static void add_variables(const struct variables *variables, struct sca_table *out)
{
    for (uint32_t i = 0; i < variables->n; i++) {
        struct sca_row *row = sca_table_row(out, NULL);
        bool time = i == COMPUTATION || i == IN_MPI;
        row->label = sca_table_text(out, "%s of the rank", variables->names[i]);
        row->cells[0].number = time ? sum(variables->of[i], variables->nranks) : (double)NAN;
        row->bold = true;
        fill(variables, variables->of[i], out, row);
    }
}

static void add_places(const struct sca_view_input *in, const struct sca_figures *f,
                       const struct variables *variables, struct sca_table *out)
{
    uint32_t n = 0, used = 0;
    struct sca_source_place *places = sca_figures_places_of(in->space, in->ppg, &n);
    struct correlated *entries = sca_workspace_alloc(in->space, n, sizeof *entries);
    double *row = sca_workspace_alloc(in->space, f->run->nranks, sizeof *row);
    for (uint32_t i = 0; i < n; i++) {
        entries[used] = (struct correlated){.place = &places[i]};
        for (uint32_t k = 0; k < places[i].count; k++)
            entries[used].seconds += f->own[places[i].vertices[k]];
        used += entries[used].seconds > 0;
    }
    qsort(entries, used, sizeof *entries, by_seconds);
    for (uint32_t i = 0; i < used; i++) {
        if (in->top && i >= in->top) {
            out->left_out++;
            continue;
        }
        memset(row, 0, f->run->nranks * sizeof *row);
        for (uint32_t k = 0; k < entries[i].place->count; k++)
            for (uint32_t r = 0; r < f->run->nranks; r++)
                row[r] += sca_figures_own_seconds(f->run, entries[i].place->vertices[k], r);
        struct sca_row *to = sca_table_row(out, &in->ppg->vertices[entries[i].place->vertices[0]]);
        to->cells[0].number = entries[i].seconds;
        fill(variables, row, out, to);
    }
}

static void make_columns(const struct variables *variables, struct sca_table *out)
{
    static const char *const heads[FIXED] = {"comp", "MPI", "calls", "bytes"};
    static const char *const keys[FIXED] = {"computation", "mpi_time", "mpi_calls", "bytes"};
    struct sca_column *columns =
        sca_workspace_alloc(out->space, variables->n + 2u, sizeof *columns);
    columns[0] = (struct sca_column){"core_s", "core-s", SCA_CELL_SECONDS};
    for (uint32_t i = 0; i < variables->n; i++) {
        bool fixed = i < FIXED;
        columns[i + 1] = (struct sca_column){
            sca_table_text(out, "r_%s", fixed ? keys[i] : variables->names[i]),
            fixed ? heads[i] : sca_table_text(out, "#%u", i - FIXED + 1), SCA_CELL_RATIO};
    }
    columns[variables->n + 1] = (struct sca_column){"p_values", NULL, SCA_CELL_SERIES};
    out->columns = columns;
    out->ncolumns = variables->n + 2;
}

static void note_counters(const struct sca_profile *profile, struct sca_table *out)
{
    char text[SCA_PHRASE];
    if (*sca_counters_absent(text, profile))
        sca_table_note(out, "%s", text);
    if (*sca_counters_estimated(text, profile))
        sca_table_note(out, "%s", text);
}

static void show(const struct sca_view_input *in, struct sca_table *out)
{
    static const char *const methods[] = {"Pearson's", "Spearman's", "Kendall's"};
    struct sca_figures f;
    struct variables variables = {.method = in->settings->method};
    sca_figures_of(in->space, in->ppg, in->ppg->nruns - 1, &f);
    measure(in->space, &f, &variables);
    make_columns(&variables, out);
    out->title = sca_table_text(
        out, "%s on %u ranks: %s correlation over the ranks, -1 to 1, of times with each figure",
        in->ppg->program, variables.nranks, methods[in->settings->method]);
    add_variables(&variables, out);
    add_places(in, &f, &variables, out);
    for (uint32_t i = FIXED; i < variables.n; i++)
        sca_table_note(out, "#%u is %s.", i - FIXED + 1, variables.names[i]);
    note_counters(f.run->profile, out);
    sca_table_note(out,
                   "Few ranks make a coefficient uncertain: beyond %.2f, chance is unlikely (1 in "
                   "20) on %u ranks. - : no variation.",
                   sca_correlate_limit(variables.method, variables.nranks), variables.nranks);
}

void sca_view_correlation(const struct sca_view_input *in, struct sca_table *out)
{
    if (in->settings->pairwise)
        sca_pairwise_view(in, out);
    else
        show(in, out);
}
