/* The backtracking paths of a report, those to no cause too. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"
#include "sca_error.h"
#include "scalana/verdict.h"

static void fill_path(const void *source, uint32_t i, void *row)
{
    const struct sca_report_path *p = &((const struct sca_report *)source)->paths[i];
    *(struct scalana_path *)row =
        (struct scalana_path){.start = p->start,
                              .wait_s = p->wait_s,
                              .cause = p->to_cause ? p->cause : (uint32_t)SCALANA_NONE,
                              .nsteps = p->nsteps};
}

int scalana_report_paths(const scalana_report *report, uint32_t first, uint32_t count,
                         struct scalana_path *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"paths", report->of->npaths, sizeof *out, fill_path, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_step(const void *source, uint32_t i, void *row)
{
    const struct sca_report_step *s = &((const struct sca_report_path *)source)->steps[i];
    *(struct scalana_step *)row =
        (struct scalana_step){.vertex = s->vertex, .rank = s->rank, .via = s->via};
}

int scalana_path_steps(const scalana_report *report, uint32_t path, uint32_t first, uint32_t count,
                       struct scalana_step *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_index(path, report->of->npaths, "path");
    if (status != SCA_OK)
        return status;
    const struct sca_report_path *of = &report->of->paths[path];
    struct sca_listing rows = {"steps", of->nsteps, sizeof *out, fill_step, of};
    return sca_rows_copy(&rows, first, count, out, size);
}
