#include "library/run_metrics.h"
#include "library/arguments.h"
#include "library/rows.h"
#include "sca_error.h"
#include "scalana/graph.h"

#include <string.h>

static const struct scalana_metric fixed[] = {
    {SCALANA_METRIC_COMPUTATION, "computation", "s", "own time outside MPI"},
    {SCALANA_METRIC_MPI_TIME, "mpi_time", "s", "inside MPI calls"},
    {SCALANA_METRIC_SAMPLES, "samples", "samples", "samples taken"},
    {SCALANA_METRIC_MPI_CALLS, "mpi_calls", "calls", "executions of MPI calls"},
    {SCALANA_METRIC_MPI_BYTES, "mpi_bytes", "bytes", "sent or received by MPI calls"},
};

enum { FIXED = sizeof fixed / sizeof *fixed };

int sca_run_metrics_take_run(const scalana_runs *runs, uint32_t run, const struct sca_ppg_run **out)
{
    int status = sca_arguments_there(runs, "runs");
    if (status == SCA_OK)
        status = sca_arguments_index(run, runs->loaded.ppg->nruns, "run");
    if (status == SCA_OK)
        *out = &runs->loaded.ppg->runs[run];
    return status;
}

uint32_t sca_run_metrics_count(const struct sca_ppg_run *run)
{
    return FIXED + run->profile->nmetrics;
}

int sca_run_metrics_check(const struct sca_ppg_run *run, uint32_t metric)
{
    uint32_t counter = metric - SCALANA_METRIC_COUNTER;
    if (metric < FIXED || (metric >= SCALANA_METRIC_COUNTER && counter < run->profile->nmetrics))
        return SCA_OK;
    return sca_fail(SCA_EINVAL, "%s has no metric %u", run->profile->directory, metric);
}

static void fill_metric(const void *source, uint32_t i, void *row)
{
    const struct sca_ppg_run *run = source;
    struct scalana_metric *metric = row;
    if (i < FIXED)
        *metric = fixed[i];
    else
        *metric = (struct scalana_metric){SCALANA_METRIC_COUNTER + i - FIXED,
                                          run->profile->metrics[i - FIXED], "events",
                                          "hardware counter, as its samples have it"};
}

int scalana_run_metrics(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                        struct scalana_metric *out, size_t size)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"metrics", sca_run_metrics_count(of), sizeof *out, fill_metric, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

int scalana_metric_find(const scalana_runs *runs, uint32_t run, const char *name, uint32_t *id)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = sca_arguments_there(name, "name");
    if (status == SCA_OK)
        status = sca_arguments_there(id, "id");
    for (uint32_t i = 0; status == SCA_OK && i < sca_run_metrics_count(of); i++) {
        struct scalana_metric metric;
        fill_metric(of, i, &metric);
        if (!strcmp(metric.name, name)) {
            *id = metric.id;
            return SCA_OK;
        }
    }
    return status != SCA_OK
               ? status
               : sca_fail(SCA_ENOTFOUND, "%s has no metric \"%s\"", of->profile->directory, name);
}
