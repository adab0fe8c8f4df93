#include "views/by_thread.h"
#include "metrics/threads.h"
#include "views/figures.h"
#include "views/layers.h"
#include "views/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 64 }; /* threads that are listed each; of more, the busiest */

enum { WHOLE, NTHREADS, LEAST, MIDDLE, HIGH, MOST, RANK, THREAD, RANKS, THREADS, VALUES, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [WHOLE] = {"inclusive", "inclusive", SCA_CELL_NUMBER},
    [NTHREADS] = {"nthreads", "threads", SCA_CELL_COUNT},
    [LEAST] = {"least", "least", SCA_CELL_NUMBER},
    [MIDDLE] = {"median", "median", SCA_CELL_NUMBER},
    [HIGH] = {"quantile_95", "95 %", SCA_CELL_NUMBER},
    [MOST] = {"most", "most", SCA_CELL_NUMBER},
    [RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [THREAD] = {"most_thread", "thread", SCA_CELL_COUNT},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [THREADS] = {"threads", NULL, SCA_CELL_SERIES},
    [VALUES] = {"inclusive_by_thread", NULL, SCA_CELL_SERIES},
};

struct thread_value { /* of a thread of a rank */
    uint32_t rank, thread;
    double value;
};

struct metric_of_threads {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    struct sca_table *out;
    struct sca_threads threads;
    uint32_t *shown, nshown; /* contexts, in program order */
    double *values;          /* [context shown][thread][selected rank] */
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Those with most of it, of all ranks and threads. */
static void choose(struct metric_of_threads *t, const struct scalana_metric *metric)
{
    const struct sca_selection *s = t->s;
    struct sca_workspace scratch = {.out_of_memory = t->in->space->out_of_memory};
    struct sca_selected m;
    uint32_t n = 0, nv = t->in->ppg->nvertices;
    struct sca_weighed *all = sca_workspace_alloc(&scratch, nv, sizeof *all);
    sca_selection_load(&scratch, s, metric, &m);
    for (uint32_t i = 0; i < s->nroots; i++)
        for (uint32_t v = s->roots[i]; v < s->ends[s->roots[i]]; v++) {
            double whole = sca_selection_whole(s, &m, v, true);
            if (whole > 0)
                all[n++] = (struct sca_weighed){v, whole};
        }
    sca_weighed_sort(all, n);
    t->nshown = t->in->top && n > t->in->top ? t->in->top : n;
    t->out->left_out = n - t->nshown;
    t->shown = sca_workspace_alloc(t->in->space, t->nshown, sizeof *t->shown);
    for (uint32_t i = 0; i < t->nshown; i++)
        t->shown[i] = all[i].vertex;
    qsort(t->shown, t->nshown, sizeof *t->shown, by_number);
    sca_workspace_free(&scratch);
}

static double *value_of(const struct metric_of_threads *t, uint32_t context, uint32_t thread,
                        uint32_t rank)
{
    return &t->values[((size_t)context * t->threads.n + thread) * t->s->nranks + rank];
}

static void load(struct metric_of_threads *t, const struct scalana_metric *metric)
{
    size_t cells = (size_t)t->nshown * t->threads.n * t->s->nranks;
    t->values = sca_workspace_alloc(t->in->space, cells, sizeof *t->values);
    for (uint32_t k = 0; k < t->threads.n; k++) {
        struct sca_workspace scratch = {.out_of_memory = t->in->space->out_of_memory};
        struct sca_selection one = *t->s;
        struct sca_selected m;
        one.source = sca_threads_source(&t->s->source, t->threads.numbers[k]);
        sca_selection_load(&scratch, &one, metric, &m);
        for (uint32_t i = 0; i < t->nshown; i++)
            for (uint32_t r = 0; r < t->s->nranks; r++)
                *value_of(t, i, k, r) = sca_selection_value(&one, &m, t->shown[i], true, r);
        sca_workspace_free(&scratch);
    }
}

static int most_first(const void *a, const void *b)
{
    const struct thread_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Threads that have any, the busiest first. */
static struct thread_value *list(const struct metric_of_threads *t, uint32_t context, uint32_t *n)
{
    struct thread_value *all =
        sca_workspace_alloc(t->in->space, (size_t)t->threads.n * t->s->nranks, sizeof *all);
    *n = 0;
    for (uint32_t k = 0; k < t->threads.n; k++)
        for (uint32_t r = 0; r < t->s->nranks; r++) {
            double value = *value_of(t, context, k, r);
            if (value > 0)
                all[(*n)++] = (struct thread_value){t->s->ranks[r], t->threads.numbers[k], value};
        }
    qsort(all, *n, sizeof *all, most_first);
    return all;
}

static void fill_series(const struct metric_of_threads *t, const struct thread_value *all,
                        uint32_t n, struct sca_row *row)
{
    double *of[3];
    n = n < MOST_LISTED ? n : MOST_LISTED;
    for (int k = 0; k < 3; k++) {
        of[k] = sca_workspace_alloc(t->in->space, n, sizeof(double));
        row->cells[RANKS + k] = (struct sca_cell){.series = of[k], .count = n};
    }
    for (uint32_t i = 0; i < n; i++) {
        of[0][i] = all[i].rank;
        of[1][i] = all[i].thread;
        of[2][i] = all[i].value;
    }
}

static void add_row(const struct metric_of_threads *t, uint32_t context)
{
    uint32_t n;
    const struct thread_value *all = list(t, context, &n);
    if (!n)
        return;
    struct sca_row *row = sca_table_row(t->out, &t->in->ppg->vertices[t->shown[context]]);
    double *sorted = sca_workspace_alloc(t->in->space, n, sizeof *sorted);
    for (uint32_t i = 0; i < n; i++) {
        sorted[n - 1 - i] = all[i].value;
        row->cells[WHOLE].number += all[i].value;
    }
    row->cells[NTHREADS].number = n;
    row->cells[LEAST].number = sorted[0];
    row->cells[MIDDLE].number = sca_figures_quantile(sorted, n, 0.5);
    row->cells[HIGH].number = sca_figures_quantile(sorted, n, 0.95);
    row->cells[MOST].number = sorted[n - 1];
    row->cells[RANK].number = all[0].rank;
    row->cells[THREAD].number = all[0].thread;
    fill_series(t, all, n, row);
}

void sca_by_thread_metric(const struct sca_view_input *in, const struct sca_selection *s,
                          const struct scalana_metric *metric, struct sca_table *out)
{
    struct metric_of_threads t = {.in = in, .s = s, .out = out};
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: %s (%s) of threads, %s", in->ppg->program,
                                s->nranks, metric->name, metric->unit, metric->meaning);
    if (*metric->absent || sca_metric_is_ratio(metric) || !sca_layers_has_threads(metric)) {
        sca_table_note(out, "n/a: %s.",
                       *metric->absent ? metric->absent
                                       : "samples do not tell it by thread; computation, "
                                         "sampled_time, samples and counters they do");
        return;
    }
    sca_threads_find(in->space, s->source.run->profile, &t.threads);
    choose(&t, metric);
    load(&t, metric);
    for (uint32_t i = 0; i < t.nshown; i++)
        add_row(&t, i);
    if (!out->nrows)
        sca_table_note(out, "No thread has any of it.");
    if ((size_t)t.threads.n * s->nranks > MOST_LISTED)
        sca_table_note(out, "Of more than %d threads JSON has the busiest of each place.",
                       MOST_LISTED);
}
