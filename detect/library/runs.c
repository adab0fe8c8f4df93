/* Runs: loaded, counted, freed. */
#include "scalana/run.h"
#include "library/activities.h"
#include "library/arguments.h"
#include "library/handles.h"
#include "library/plain_numbers.h"
#include "library/run_metrics.h"
#include "library/rows.h"
#include "library/series_made.h"
#include "sca_error.h"

#include <stdlib.h>

static int check_directories(const char *const *directories, uint32_t n, const void *out)
{
    int status = sca_arguments_there(out, "out");
    if (status == SCA_OK)
        status = sca_arguments_there(directories, "directories");
    if (status == SCA_OK && !n)
        status = sca_fail(SCA_EINVAL, "no run directory given");
    for (uint32_t i = 0; status == SCA_OK && i < n; i++)
        status = sca_arguments_there(directories[i], "a directory");
    return status;
}

/* The work says what to expect of each run, and nothing else does. */
static int check_work(const struct sca_settings *settings, uint32_t n)
{
    if (settings->nwork && settings->scaling != SCA_SCALING_AUTO)
        return sca_fail(SCA_EINVAL, "work and scaling exclude each other");
    if (settings->nwork && !settings->work_ranks[0] && settings->nwork != n)
        return sca_fail(SCA_EINVAL, "work has %u number%s for %u run%s", settings->nwork,
                        settings->nwork == 1 ? "" : "s", n, n == 1 ? "" : "s");
    return SCA_OK;
}

static int load(const char *const *directories, uint32_t n, const struct sca_settings *settings,
                struct scalana_runs *runs)
{
    /* char *const *: as main() has them; they are only read */
    int status = sca_runs_load((char *const *)directories, n, settings, &runs->loaded);
    if (status != SCA_OK)
        return status;
    runs->ends = calloc(runs->loaded.ppg->nvertices, sizeof *runs->ends);
    runs->catalogues = calloc(runs->loaded.ppg->nruns, sizeof *runs->catalogues);
    runs->series = calloc(runs->loaded.ppg->nruns, sizeof *runs->series);
    if (!runs->ends || !runs->catalogues || !runs->series)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_ppg_ends(runs->loaded.ppg, runs->ends);
    sca_run_metrics_make(runs);
    return sca_activities_make(runs);
}

static int load_with(const char *const *directories, uint32_t n, const scalana_options *options,
                     scalana_runs **out)
{
    int status = check_work(&options->settings, n);
    struct scalana_runs *runs = status == SCA_OK ? calloc(1, sizeof *runs) : NULL;
    if (status == SCA_OK && !runs)
        status = sca_fail(SCA_ENOMEM, "out of memory");
    if (status == SCA_OK)
        status = load(directories, n, &options->settings, runs);
    if (status == SCA_OK)
        *out = runs;
    else
        scalana_runs_free(runs);
    return status;
}

int scalana_runs_load(const char *const *directories, uint32_t n, const scalana_options *options,
                      scalana_runs **out)
{
    int status = check_directories(directories, n, out);
    if (status != SCA_OK)
        return status;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    *out = NULL;
    sca_library_speak(options);
    scalana_options *usual = options ? NULL : scalana_options_new();
    if (options || usual)
        status = load_with(directories, n, options ? options : usual, out);
    else
        status = SCA_ENOMEM;
    sca_library_fall_silent(options);
    scalana_options_free(usual);
    sca_plain_numbers_end(&numbers);
    return status;
}

void scalana_runs_free(scalana_runs *runs)
{
    if (!runs)
        return;
    sca_series_made_free(runs);
    sca_runs_free(&runs->loaded);
    sca_arena_free(&runs->memory);
    sca_arena_free(&runs->live);
    free(runs->moments);
    free(runs->catalogues);
    free(runs->ends);
    free(runs);
}

uint32_t scalana_runs_count(const scalana_runs *runs)
{
    return runs ? runs->loaded.ppg->nruns : 0;
}

static double longest_wall(const struct sca_profile *p)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < p->nranks; r++)
        if (p->ranks[r].present && p->ranks[r].wall_ns > most)
            most = p->ranks[r].wall_ns;
    return (double)most * 1e-9;
}

static void fill_run(const void *source, uint32_t i, void *row)
{
    const scalana_runs *runs = source;
    const struct sca_ppg_run *run = &runs->loaded.ppg->runs[i];
    const struct sca_series *series = run->profile->series;
    *(struct scalana_run *)row = (struct scalana_run){.directory = run->profile->directory,
                                                      .ranks = run->nranks,
                                                      .nlocations = run->nranks,
                                                      .nmetrics = sca_run_metrics_count(runs, i),
                                                      .ngroups = run->profile->ncomms,
                                                      .nactivities = runs->moments[i].nactivities,
                                                      .state = runs->moments[i].state,
                                                      .running_s = runs->moments[i].running_s,
                                                      .complete = run->profile->complete,
                                                      .work = run->work,
                                                      .nseries = series ? series->nsections : 0,
                                                      .nphases = series ? series->nphases : 0,
                                                      .wall_s = longest_wall(run->profile)};
}

int scalana_runs_get(const scalana_runs *runs, uint32_t first, uint32_t count,
                     struct scalana_run *out, size_t size)
{
    int status = sca_arguments_there(runs, "runs");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"runs", runs->loaded.ppg->nruns, sizeof *out, fill_run, runs};
    return sca_rows_copy(&rows, first, count, out, size);
}
