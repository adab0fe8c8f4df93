/* Where the ranks of a report's largest run stand. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"

static void fill_topology(const void *source, uint32_t i, void *row)
{
    const struct sca_topology *t = &((const struct sca_report *)source)->topologies[i];
    *(struct scalana_report_topology *)row =
        (struct scalana_report_topology){.name = t->name,
                                         .kind = t->kind,
                                         .ndims = t->ndims,
                                         .dims = t->dims,
                                         .periodic = t->periodic,
                                         .dimension_names = t->dimension_names,
                                         .nlocations = t->nranks,
                                         .coordinates = t->coordinates};
}

int scalana_report_topologies(const scalana_report *report, uint32_t first, uint32_t count,
                              struct scalana_report_topology *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"topologies", report->of->ntopologies, sizeof *out, fill_topology,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_place(const void *source, uint32_t i, void *row)
{
    const struct sca_report *r = source;
    const struct sca_location *at = &r->locations[i];
    *(struct scalana_report_place *)row = (struct scalana_report_place){
        .host = at->host,
        .package = at->package,
        .core = at->core,
        .cores = at->cores,
        .nthreads = r->nthreads,
        .thread_s = r->nthreads ? &r->thread_s[(size_t)i * r->nthreads] : NULL};
}

int scalana_report_places(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_report_place *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCALANA_OK)
        return status;
    struct sca_listing rows = {"places", report->of->nlocations, sizeof *out, fill_place,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}
