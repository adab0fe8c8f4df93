/* Ranks by behaviour, and advice, of a report. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"

static void fill_class(const void *source, uint32_t i, void *row)
{
    const struct sca_report_class *k = &((const struct sca_report *)source)->behaviour.classes[i];
    *(struct scalana_class *)row = (struct scalana_class){.role = k->role,
                                                          .graph = k->graph,
                                                          .nranks = k->nranks,
                                                          .ranks = k->ranks,
                                                          .computation_s = k->own_mean_s,
                                                          .min_computation_s = k->own_least_s,
                                                          .max_computation_s = k->own_most_s,
                                                          .sd_computation_s = k->own_sd_s,
                                                          .mpi_s = k->mpi_mean_s,
                                                          .mpi_calls = k->calls,
                                                          .slower = k->slower,
                                                          .min_peers = k->least_peers,
                                                          .max_peers = k->most_peers};
}

int scalana_report_classes(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_class *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"classes", report->of->behaviour.nclasses, sizeof *out, fill_class,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_leaver(const void *source, uint32_t i, void *row)
{
    const struct sca_report_leaver *l = &((const struct sca_report *)source)->behaviour.leavers[i];
    *(struct scalana_leaver *)row = (struct scalana_leaver){.rank = l->rank,
                                                            .from_iteration = l->iteration,
                                                            .at_s = l->at_s,
                                                            .before = l->before,
                                                            .after = l->after};
}

int scalana_report_leavers(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_leaver *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"ranks that left their class", report->of->behaviour.nleavers,
                               sizeof *out, fill_leaver, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_advice(const void *source, uint32_t i, void *row)
{
    const struct sca_report_advice *a = &((const struct sca_report *)source)->advice[i];
    *(struct scalana_advice *)row = (struct scalana_advice){.kind = a->kind,
                                                            .text = a->text,
                                                            .estimate = a->estimate,
                                                            .vertex = a->vertex,
                                                            .nranks = a->nranks,
                                                            .ranks = a->ranks,
                                                            .gain_core_s = a->gain_core_s,
                                                            .gain_share = a->gain_share};
}

int scalana_report_advice(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_advice *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"advice", report->of->nadvice, sizeof *out, fill_advice, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}
