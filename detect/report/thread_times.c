#include "report/thread_times.h"
#include "metrics/metric_block.h"
#include "metrics/threads.h"
#include "report/report_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTILES = 4 }; /* of many threads: among the listed ones, at the end */

struct amount {
    uint32_t of;
    double seconds;
};

static int most_first(const void *a, const void *b)
{
    const struct amount *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->of > y->of) - (x->of < y->of);
}

static int by_number(const void *a, const void *b)
{
    const struct amount *x = a, *y = b;
    return (x->of > y->of) - (x->of < y->of);
}

/* Of very many the busiest of all ranks together, then one in each quarter of the others: those
 * that a quarter, half, three quarters and all of them are as busy as at least. */
static uint32_t choose_threads(struct amount *threads, uint32_t n)
{
    enum { BUSIEST = SCA_MOST_THREADS_LISTED - QUANTILES };
    if (n <= SCA_MOST_THREADS_LISTED)
        return n;
    qsort(threads, n, sizeof *threads, most_first);
    for (uint32_t q = 1; q <= QUANTILES; q++)
        threads[BUSIEST + q - 1] = threads[BUSIEST + (n - BUSIEST) * q / QUANTILES - 1];
    qsort(threads, SCA_MOST_THREADS_LISTED, sizeof *threads, by_number);
    return SCA_MOST_THREADS_LISTED;
}

static void tell_threads(struct sca_analysis *c, const struct sca_threads *threads)
{
    struct sca_report *r = c->report;
    struct sca_report_thread_times *to = &r->thread_times;
    struct amount *all = sca_workspace_alloc(c->space, threads->n, sizeof *all);
    for (uint32_t t = 0; t < threads->n; t++) {
        all[t].of = threads->numbers[t];
        for (uint32_t rank = 0; rank < r->nlocations; rank++)
            all[t].seconds += r->thread_s[(size_t)rank * threads->n + t];
    }
    to->nthreads = threads->n;
    to->nlisted = choose_threads(all, threads->n);
    to->listed = sca_report_memory_take(c, to->nlisted, sizeof *to->listed);
    for (uint32_t t = 0; t < to->nlisted; t++)
        to->listed[t] = all[t].of;
}

/* As many vertices as there is room for, those that compute most, by number. */
static void tell_vertices(struct sca_analysis *c, const struct sca_report_metric *computation)
{
    struct sca_report_thread_times *to = &c->report->thread_times;
    uint32_t n = computation->nrows;
    uint32_t room = SCA_MOST_THREAD_SECONDS / (c->report->nlocations * to->nlisted);
    struct amount *all = sca_workspace_alloc(c->space, n, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct amount){computation->rows[i].vertex, computation->rows[i].sum};
    if (n)
        qsort(all, n, sizeof *all, most_first);
    to->nrows = n < room ? n : room;
    to->left_out = n - to->nrows;
    if (to->nrows)
        qsort(all, to->nrows, sizeof *all, by_number);
    to->rows = sca_report_memory_take(c, to->nrows, sizeof *to->rows);
    for (uint32_t i = 0; i < to->nrows; i++) {
        to->rows[i].vertex = all[i].of;
        to->rows[i].seconds = sca_report_memory_take(c, (size_t)c->report->nlocations * to->nlisted,
                                                     sizeof *to->rows[i].seconds);
    }
}

/* Of one thread of all ranks: values[row * ranks + rank]. */
static void measure(struct sca_analysis *c, uint32_t thread, const uint32_t *row_of,
                    const uint32_t *vertices, double *values)
{
    const struct sca_report_thread_times *to = &c->report->thread_times;
    const struct sca_metric_source all = {c->ppg, c->measures[c->last].run, &c->replayed, 0};
    const struct sca_metric_source one = sca_threads_source(&all, (uint16_t)to->listed[thread]);
    const uint32_t id = SCALANA_METRIC_COMPUTATION, ranks = c->report->nlocations;
    const struct sca_metric_block block = {0,   to->nrows, 0,      ranks,    1,
                                           &id, &values,   row_of, vertices, NULL};
    if (sca_metric_block_fill(&one, &block) < 0)
        longjmp(*c->space->out_of_memory, 1);
    for (uint32_t i = 0; i < to->nrows; i++)
        for (uint32_t rank = 0; rank < ranks; rank++)
            to->rows[i].seconds[(size_t)rank * to->nlisted + thread] =
                fmax(0, values[(size_t)i * ranks + rank]);
}

static void fill_rows(struct sca_analysis *c)
{
    const struct sca_report_thread_times *to = &c->report->thread_times;
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    uint32_t nv = c->ppg->nvertices;
    uint32_t *row_of = sca_workspace_alloc(&scratch, nv, sizeof *row_of);
    uint32_t *vertices = sca_workspace_alloc(&scratch, to->nrows, sizeof *vertices);
    double *values =
        sca_workspace_alloc(&scratch, (size_t)to->nrows * c->report->nlocations, sizeof *values);
    for (uint32_t v = 0; v < nv; v++)
        row_of[v] = SCA_NONE;
    for (uint32_t i = 0; i < to->nrows; i++) {
        vertices[i] = to->rows[i].vertex;
        row_of[vertices[i]] = i;
    }
    for (uint32_t t = 0; t < to->nlisted; t++)
        measure(c, t, row_of, vertices, values);
    sca_workspace_free(&scratch);
}

void sca_thread_times_fill(struct sca_analysis *c)
{
    const struct sca_report_metric *computation = sca_report_metric_find(c->report, "computation");
    struct sca_threads threads;
    if (!c->report->nthreads || !computation || *computation->absent)
        return;
    sca_threads_find(c->space, c->ppg->runs[c->last].profile, &threads);
    tell_threads(c, &threads);
    tell_vertices(c, computation);
    if (c->report->thread_times.nrows)
        fill_rows(c);
}
