/* How a metric is spread over all threads of a run's locations. */
#include "library/arguments.h"
#include "library/run_metrics.h"
#include "scalana/graph.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22 }; /* values of a block of contexts that are held at once */

struct spread_over_threads {
    const scalana_runs *runs;
    uint32_t run, metric, nlocations, nthreads;
    enum scalana_values values;
    struct scalana_thread *threads;
    double *cells; /* [thread][context of the block][location] */
    double *one;   /* of a context, all threads that have any */
};

static int load(const struct spread_over_threads *s, uint32_t first, uint32_t n)
{
    int status = SCA_OK;
    for (uint32_t t = 0; status == SCA_OK && t < s->nthreads; t++)
        status = scalana_thread_values(s->runs, s->run, s->threads[t].number, s->metric, s->values,
                                       first, n, 0, s->nlocations,
                                       s->cells + (size_t)t * n * s->nlocations);
    return status;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the two that are next to it. */
static double quantile(const double *sorted, size_t n, double part)
{
    double at = part * (double)(n - 1);
    size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static void fill(const struct spread_over_threads *s, uint32_t context, uint32_t n,
                 const double *parts, uint32_t nparts, double *out)
{
    size_t kept = 0;
    for (uint32_t t = 0; t < s->nthreads; t++)
        for (uint32_t r = 0; r < s->nlocations; r++) {
            double value = s->cells[((size_t)t * n + context) * s->nlocations + r];
            if (value > 0)
                s->one[kept++] = value;
        }
    if (kept)
        qsort(s->one, kept, sizeof *s->one, rising);
    for (uint32_t i = 0; i < nparts; i++)
        out[i] = kept ? quantile(s->one, kept, parts[i]) : (double)NAN;
}

static int check(struct spread_over_threads *s, const double *parts, uint32_t nparts,
                 const double *out)
{
    int status = sca_arguments_there(parts, "parts");
    if (status == SCA_OK)
        status = sca_arguments_there(out, "out");
    for (uint32_t i = 0; status == SCA_OK && i < nparts; i++)
        if (!(parts[i] >= 0 && parts[i] <= 1))
            status = sca_fail(SCA_EINVAL, "parts[%u] is not from 0 to 1", i);
    if (status == SCA_OK)
        status = scalana_run_threads(s->runs, s->run, &s->nthreads);
    return status;
}

static int take_memory(struct spread_over_threads *s, uint32_t ncontexts, uint32_t *block)
{
    size_t each = (size_t)s->nthreads * s->nlocations;
    size_t most = each ? MOST_CELLS / each : 1;
    *block = most < 1 ? 1 : most < ncontexts ? (uint32_t)most : ncontexts;
    s->threads = calloc(s->nthreads, sizeof *s->threads);
    s->cells = malloc((each * *block + 1) * sizeof *s->cells);
    s->one = malloc((each + 1) * sizeof *s->one);
    return s->threads && s->cells && s->one ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

int scalana_thread_quantiles(const scalana_runs *runs, uint32_t run, uint32_t metric,
                             enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                             const double *parts, uint32_t nparts, double *out)
{
    struct spread_over_threads s = {.runs = runs, .run = run, .metric = metric, .values = values};
    const struct sca_ppg_run *of;
    uint32_t block = 0;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(&s, parts, nparts, out);
    if (status != SCA_OK || !ncontexts || !nparts)
        return status;
    s.nlocations = of->nranks;
    status = take_memory(&s, ncontexts, &block);
    if (status == SCA_OK)
        status = scalana_threads_get(runs, run, 0, s.nthreads, s.threads, sizeof *s.threads);
    for (uint32_t at = 0; status == SCA_OK && at < ncontexts; at += block) {
        uint32_t n = ncontexts - at < block ? ncontexts - at : block;
        status = load(&s, first_context + at, n);
        for (uint32_t i = 0; status == SCA_OK && i < n; i++)
            fill(&s, i, n, parts, nparts, out + (size_t)(at + i) * nparts);
    }
    free(s.threads);
    free(s.cells);
    free(s.one);
    return status;
}
