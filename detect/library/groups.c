/* The groups of a run: its communicators and their members. */
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"
#include "scalana/graph.h"

static void fill_group(const void *source, uint32_t i, void *row)
{
    const struct sca_comm *comm = &((const struct sca_profile *)source)->comms[i];
    *(struct scalana_group *)row = (struct scalana_group){
        .kind = comm->kind && *comm->kind ? comm->kind : "unknown", .size = comm->size};
}

int scalana_run_groups(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_group *out, size_t size)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"groups", of->profile->ncomms, sizeof *out, fill_group, of->profile};
    return sca_rows_copy(&rows, first, count, out, size);
}

static bool is_member(const struct sca_rank *rank, uint32_t group)
{
    for (uint32_t i = 0; rank->present && i < rank->ncomms; i++)
        if (rank->comms[i] == group)
            return true;
    return false;
}

int scalana_group_members(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t space,
                          uint32_t *out, uint32_t *n)
{
    const struct sca_ppg_run *of;
    uint32_t members = 0;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = sca_arguments_index(group, of->profile->ncomms, "group");
    if (status == SCA_OK && space)
        status = sca_arguments_there(out, "out");
    if (status != SCA_OK)
        return status;
    for (uint32_t r = 0; r < of->nranks; r++)
        if (is_member(&of->profile->ranks[r], group)) {
            if (members < space)
                out[members] = r;
            members++;
        }
    if (n)
        *n = members;
    return SCA_OK;
}
