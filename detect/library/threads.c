/* Threads of a run's locations: which there are, and what each has of a metric. */
#include "base/workspace.h"
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "metrics/metric_block.h"
#include "metrics/metric_values.h"
#include "metrics/threads.h"
#include "sca_error.h"
#include "scalana/graph.h"

#include <setjmp.h>
#include <stdlib.h>

/* Numbers of the threads of a run, by malloc; NULL: out of memory. */
static uint16_t *find_threads(const struct sca_ppg_run *run, uint32_t *n)
{
    jmp_buf out_of_memory;
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_threads threads;
    if (setjmp(out_of_memory)) {
        sca_workspace_free(&space);
        return NULL;
    }
    sca_threads_find(&space, run->profile, &threads);
    uint16_t *numbers = malloc(threads.n * sizeof *numbers);
    for (uint32_t i = 0; numbers && i < threads.n; i++)
        numbers[i] = threads.numbers[i];
    *n = threads.n;
    sca_workspace_free(&space);
    return numbers;
}

static uint32_t row_of(const uint16_t *numbers, uint32_t n, uint16_t number)
{
    const struct sca_threads threads = {n, numbers};
    return sca_threads_row(&threads, number);
}

static void add_rank(const struct sca_rank *rank, uint32_t r, const uint16_t *numbers, uint32_t n,
                     struct scalana_thread *rows, uint32_t *last)
{
    for (uint32_t i = 0; rank->present && i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (!sca_part_is_sample(s))
            continue;
        uint32_t row = row_of(numbers, n, s->thread);
        rows[row].sampled_s += (double)s->count * (double)rank->sample_period_ns * 1e-9;
        rows[row].nlocations += last[row] != r + 1;
        last[row] = r + 1;
    }
}

/* Rows of all threads, by malloc. */
static struct scalana_thread *make_rows(const struct sca_ppg_run *run, uint32_t *n)
{
    uint16_t *numbers = find_threads(run, n);
    struct scalana_thread *rows = numbers ? calloc(*n, sizeof *rows) : NULL;
    uint32_t *last = numbers ? calloc(*n, sizeof *last) : NULL;
    void *memory = calloc(1, sca_rank_open_size(run->profile));
    bool good = rows && last && memory;
    struct sca_opened *opened = good ? sca_rank_open_init(memory, run->profile) : NULL;
    for (uint32_t i = 0; good && i < *n; i++)
        rows[i].number = numbers[i];
    for (uint32_t r = 0; good && r < run->nranks; r++)
        add_rank(sca_rank_open(opened, r, SCA_OPEN_SAMPLES), r, numbers, *n, rows, last);
    free(memory);
    free(last);
    free(numbers);
    if (good)
        return rows;
    free(rows);
    return NULL;
}

static void fill_thread(const void *source, uint32_t i, void *row)
{
    *(struct scalana_thread *)row = ((const struct scalana_thread *)source)[i];
}

int scalana_run_threads(const scalana_runs *runs, uint32_t run, uint32_t *n)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = sca_arguments_there(n, "n");
    if (status != SCA_OK)
        return status;
    uint16_t *numbers = find_threads(of, n);
    free(numbers);
    return numbers ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

int scalana_threads_get(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                        struct scalana_thread *out, size_t size)
{
    const struct sca_ppg_run *of;
    uint32_t n;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct scalana_thread *all = make_rows(of, &n);
    struct sca_listing rows = {"threads", n, sizeof *out, fill_thread, all};
    status =
        all ? sca_rows_copy(&rows, first, count, out, size) : sca_fail(SCA_ENOMEM, "out of memory");
    free(all);
    return status;
}

static int check(const scalana_runs *runs, const struct sca_ppg_run *run,
                 const struct scalana_metric *metric, const struct sca_metric_range *range,
                 const double *out)
{
    if (metric->id != SCALANA_METRIC_COMPUTATION && !sca_metric_block_of_samples(metric->id))
        return sca_fail(SCA_ENOTFOUND, "%s is of a rank: samples do not tell it by thread",
                        metric->name);
    return sca_run_metrics_check(runs, run, range, out);
}

int scalana_thread_values(const scalana_runs *runs, uint32_t run, uint32_t thread, uint32_t metric,
                          enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                          uint32_t first_location, uint32_t nlocations, double *out)
{
    const struct sca_metric_range range = {first_context, ncontexts, first_location, nlocations};
    struct sca_metric_source all = {0}, one;
    const struct scalana_metric *of;
    int status = sca_run_metrics_take_run(runs, run, &all.run);
    if (status == SCA_OK)
        status = sca_run_metrics_get(runs, run, metric, &of);
    if (status == SCA_OK && values != SCALANA_EXCLUSIVE && values != SCALANA_INCLUSIVE)
        status = sca_fail(SCA_EINVAL, "no values %d: exclusive or inclusive", (int)values);
    if (status == SCA_OK && thread > UINT16_MAX)
        status = sca_fail(SCA_EINVAL, "no thread %u", thread);
    if (status == SCA_OK)
        status = check(runs, all.run, of, &range, out);
    if (status != SCA_OK || !ncontexts || !nlocations)
        return status;
    all.ppg = runs->loaded.ppg;
    one = sca_threads_source(&all, (uint16_t)thread);
    return sca_metric_values(&one, runs->ends, of, values == SCALANA_INCLUSIVE, &range, out);
}
