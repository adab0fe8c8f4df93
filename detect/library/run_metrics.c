#include "library/run_metrics.h"
#include "library/arguments.h"
#include "library/rows.h"
#include "sca_error.h"

int sca_run_metrics_take_run(const scalana_runs *runs, uint32_t run, const struct sca_ppg_run **out)
{
    int status = sca_arguments_there(runs, "runs");
    if (status == SCA_OK)
        status = sca_arguments_index(run, runs->loaded.ppg->nruns, "run");
    if (status == SCA_OK)
        *out = &runs->loaded.ppg->runs[run];
    return status;
}

uint32_t sca_run_metrics_count(const scalana_runs *runs, uint32_t run)
{
    return runs->catalogues[run].n;
}

int sca_run_metrics_get(const scalana_runs *runs, uint32_t run, uint32_t metric,
                        const struct scalana_metric **out)
{
    const char *directory = runs->loaded.ppg->runs[run].profile->directory;
    *out = sca_metric_catalogue_get(&runs->catalogues[run], metric);
    if (!*out)
        return sca_fail(SCA_EINVAL, "%s has no metric %u", directory, metric);
    if (*(*out)->absent)
        return sca_fail(SCA_ENOTFOUND, "%s has no values of %s: %s", directory, (*out)->name,
                        (*out)->absent);
    return SCA_OK;
}

void sca_run_metrics_make(struct scalana_runs *runs)
{
    const struct sca_ppg *ppg = runs->loaded.ppg;
    for (uint32_t i = 0; i < ppg->nruns; i++) {
        bool last = i + 1 == ppg->nruns;
        const char *why_not = last
                                  ? "the run was not replayed (scalana_runs_replay)"
                                  : "only the largest of the runs is replayed: load this one alone";
        sca_metric_catalogue_make(ppg->runs[i].profile, last ? runs->replayed : NULL, why_not,
                                  &runs->catalogues[i]);
    }
}

static void fill_metric(const void *source, uint32_t i, void *row)
{
    *(struct scalana_metric *)row = ((const struct sca_metric_catalogue *)source)->rows[i];
}

int scalana_run_metrics(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                        struct scalana_metric *out, size_t size)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"metrics", runs->catalogues[run].n, sizeof *out, fill_metric,
                               &runs->catalogues[run]};
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
    if (status != SCA_OK)
        return status;
    const struct scalana_metric *found = sca_metric_catalogue_find(&runs->catalogues[run], name);
    if (!found)
        return sca_fail(SCA_ENOTFOUND, "%s has no metric \"%s\"", of->profile->directory, name);
    *id = found->id;
    return SCA_OK;
}

int sca_run_metrics_check(const scalana_runs *runs, const struct sca_ppg_run *run,
                          const struct sca_metric_range *range, const double *out)
{
    int status =
        sca_arguments_range(range->first, range->height, runs->loaded.ppg->nvertices, "contexts");
    if (status == SCA_OK)
        status = sca_arguments_range(range->left, range->width, run->nranks, "locations");
    if (status == SCA_OK && range->height && range->width)
        status = sca_arguments_there(out, "out");
    return status;
}
