/* The locations of a run, and what the profiler noted of it. */
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"
#include "topology/system.h"

static double seconds(uint64_t ns)
{
    return (double)ns * 1e-9;
}

static void fill_location(const void *source, uint32_t i, void *row)
{
    const struct sca_rank *rank = &((const struct sca_profile *)source)->ranks[i];
    struct scalana_location *location = row;
    *location = (struct scalana_location){
        .rank = i, .host = "", .present = rank->present, .package = -1, .core = -1, .cores = ""};
    struct sca_location at;
    if (!rank->present)
        return;
    location->host = rank->host ? rank->host : "";
    location->complete = rank->complete;
    location->wall_s = seconds(rank->wall_ns);
    location->cpu_s = seconds(rank->cpu_ns);
    location->mpi_s = seconds(rank->mpi_ns);
    location->tool_s = seconds(rank->tool_ns);
    location->mpi_calls = rank->mpi_calls;
    location->samples = rank->samples;
    location->sample_period_s = seconds(rank->sample_period_ns);
    location->sample_worth = rank->sample_worth;
    location->records_dropped = rank->dropped;
    location->node = rank->node;
    sca_system_read_binding(rank->cores, &at);
    location->package = at.package;
    location->core = at.core;
    location->cores = at.cores;
    location->nwindows = rank->nwindows;
}

int scalana_run_locations(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                          struct scalana_location *out, size_t size)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"locations", of->nranks, sizeof *out, fill_location, of->profile};
    return sca_rows_copy(&rows, first, count, out, size);
}

const char *scalana_run_metadata(const scalana_runs *runs, uint32_t run, const char *key)
{
    const struct sca_ppg_run *of;
    if (sca_run_metrics_take_run(runs, run, &of) || sca_arguments_there(key, "key"))
        return NULL;
    const char *value = sca_profile_meta(of->profile, key, NULL);
    if (!value)
        sca_fail(SCA_ENOTFOUND, "%s has no \"%s\"", of->profile->directory, key);
    return value;
}
