/* What a report says of its runs. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"
#include "sca_error.h"

int scalana_report_get(const scalana_report *report, struct scalana_summary *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    const struct sca_report *r = report->of;
    struct scalana_summary summary = {.program = r->program,
                                      .path = r->path,
                                      .build_id = r->build_id,
                                      .scaling_mode = r->scaling_mode,
                                      .scaling_open = r->scaling_open,
                                      .set_aside = r->set_aside,
                                      .loss_core_s = r->loss_core_s,
                                      .explained_share = r->explained_share,
                                      .least_known = r->least_gain.known,
                                      .least_shared_cores = r->least_gain.shared_cores,
                                      .least_short_run = r->least_gain.short_run,
                                      .least_share = r->least_gain.share,
                                      .least_core_s = r->least_gain.core_s,
                                      .least_min_share = r->least_gain.min_share,
                                      .nruns = r->nruns,
                                      .nefficiencies = r->nefficiency,
                                      .nvertices = r->nvertices,
                                      .nnonscalable = r->nnonscalable,
                                      .nabnormal = r->nabnormal,
                                      .nwaits = r->nwaits,
                                      .ncauses = r->ncauses,
                                      .nsources = r->nsources,
                                      .nnotes = r->nnotes,
                                      .nmetrics = r->nmetrics,
                                      .ntopologies = r->ntopologies,
                                      .nplaces = r->nlocations,
                                      .npaths = r->npaths,
                                      .npaths_left_out = r->npaths_left_out,
                                      .nunconfirmed = r->nunconfirmed,
                                      .nwarnings = r->nwarnings,
                                      .nclasses = r->behaviour.nclasses,
                                      .nleavers = r->behaviour.nleavers,
                                      .nclasses_left_out = r->behaviour.nclasses_left_out,
                                      .nadvice = r->nadvice};
    return sca_rows_copy_one(&summary, sizeof summary, out, size);
}

static void fill_run(const void *source, uint32_t i, void *row)
{
    const struct sca_report_run *r = &((const struct sca_report *)source)->runs[i];
    const struct sca_report_account *a = &r->account;
    *(struct scalana_report_run *)row =
        (struct scalana_report_run){.dir = r->dir,
                                    .ranks = r->ranks,
                                    .nhosts = r->nhosts,
                                    .complete = r->complete,
                                    .oversubscribed = r->oversubscribed,
                                    .noisy = r->noisy,
                                    .account_virtual = a->is_virtual,
                                    .work = r->work,
                                    .wall_s = r->wall_s,
                                    .useful_s = r->useful_s,
                                    .mpi_s = r->mpi_s,
                                    .wait_s = r->wait_s,
                                    .tool_s = r->tool_s,
                                    .noise = r->noise,
                                    .duration_s = a->duration_s,
                                    .base_core_s = a->base_core_s,
                                    .useful_core_s = a->useful_core_s,
                                    .extra_core_s = a->extra_core_s,
                                    .explained_core_s = a->explained_core_s,
                                    .unexplained_core_s = a->unexplained_core_s,
                                    .disturbed_core_s = a->disturbed_core_s,
                                    .communication_core_s = a->communication_core_s,
                                    .rest_core_s = a->rest_core_s,
                                    .tool_core_s = a->tool_core_s,
                                    .other_world_core_s = a->other_world_core_s,
                                    .awaited_core_s = a->awaited_core_s,
                                    .blocked_core_s = a->blocked_core_s,
                                    .queued_core_s = a->queued_core_s};
}

int scalana_report_runs(const scalana_report *report, uint32_t first, uint32_t count,
                        struct scalana_report_run *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"runs", report->of->nruns, sizeof *out, fill_run, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_efficiency(const void *source, uint32_t i, void *row)
{
    const struct sca_report_efficiency *e = &((const struct sca_report *)source)->efficiency[i];
    *(struct scalana_efficiency *)row =
        (struct scalana_efficiency){.ranks = e->ranks,
                                    .parallel = e->parallel,
                                    .load_balance = e->load_balance,
                                    .communication = e->communication,
                                    .serialisation = e->serialisation,
                                    .transfer = e->transfer,
                                    .computation = e->computation,
                                    .global = e->global,
                                    .instructions = e->instructions,
                                    .ipc = e->ipc,
                                    .frequency = e->frequency,
                                    .hybrid = e->hybrid,
                                    .openmp = e->openmp,
                                    .openmp_serialisation = e->openmp_serialisation,
                                    .openmp_load_balance = e->openmp_load_balance,
                                    .openmp_scheduling = e->openmp_scheduling,
                                    .load_balance_within = e->load_balance_within,
                                    .load_balance_between = e->load_balance_between};
}

int scalana_report_efficiencies(const scalana_report *report, uint32_t first, uint32_t count,
                                struct scalana_efficiency *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"efficiencies", report->of->nefficiency, sizeof *out,
                               fill_efficiency, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static int take_run(const scalana_report *report, uint32_t run, const struct sca_report_run **out)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_index(run, report->of->nruns, "run");
    if (status == SCA_OK)
        *out = &report->of->runs[run];
    return status;
}

static void fill_host(const void *source, uint32_t i, void *row)
{
    const struct sca_report_host *h = &((const struct sca_report_run *)source)->hosts[i];
    *(struct scalana_host *)row = (struct scalana_host){
        .name = h->name, .address = h->address, .nranks = h->nranks, .ranks = h->ranks};
}

int scalana_report_hosts(const scalana_report *report, uint32_t run, uint32_t first, uint32_t count,
                         struct scalana_host *out, size_t size)
{
    const struct sca_report_run *of;
    int status = take_run(report, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"hosts", of->nhosts, sizeof *out, fill_host, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

int scalana_report_topology(const scalana_report *report, uint32_t run,
                            struct scalana_topology *out, size_t size)
{
    const struct sca_report_run *of;
    int status = take_run(report, run, &of);
    if (status != SCA_OK)
        return status;
    const struct sca_report_topology *t = &of->topology;
    struct scalana_topology topology = {.ndims = t->ndims,
                                        .dims = t->dims,
                                        .periodic = t->periodic,
                                        .nranks = t->nranks,
                                        .width = t->width,
                                        .places = t->places,
                                        .kind = t->kind ? t->kind : ""};
    return sca_rows_copy_one(&topology, sizeof topology, out, size);
}
