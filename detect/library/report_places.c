/* Places in the program, and what a report says of each. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"
#include "sca_error.h"

static void fill_vertex(const void *source, uint32_t i, void *row)
{
    const struct sca_report_vertex *v = &((const struct sca_report *)source)->vertices[i];
    *(struct scalana_vertex *)row = (struct scalana_vertex){.kind = v->kind,
                                                            .name = v->name,
                                                            .function = v->function,
                                                            .file = v->file,
                                                            .line = v->line,
                                                            .end_line = v->end_line,
                                                            .parent = v->parent,
                                                            .nranks = v->nranks,
                                                            .nruns = v->nruns,
                                                            .rank_s = v->rank_s,
                                                            .run_s = v->run_s};
}

int scalana_report_vertices(const scalana_report *report, uint32_t first, uint32_t count,
                            struct scalana_vertex *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"vertices", report->of->nvertices, sizeof *out, fill_vertex,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_nonscalable(const void *source, uint32_t i, void *row)
{
    const struct sca_report_nonscalable *g = &((const struct sca_report *)source)->nonscalable[i];
    *(struct scalana_nonscalable *)row =
        (struct scalana_nonscalable){.vertex = g->vertex,
                                     .nprojections = g->nprojections,
                                     .slope = g->slope,
                                     .slope_ci = {g->slope_ci[0], g->slope_ci[1]},
                                     .r2 = g->r2,
                                     .share = g->share,
                                     .loss_core_s = g->loss_core_s,
                                     .expected_slope = g->expected_slope};
}

int scalana_report_nonscalable(const scalana_report *report, uint32_t first, uint32_t count,
                               struct scalana_nonscalable *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"non-scalable vertices", report->of->nnonscalable, sizeof *out,
                               fill_nonscalable, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_projection(const void *source, uint32_t i, void *row)
{
    const struct sca_report_projection *p =
        &((const struct sca_report_nonscalable *)source)->projections[i];
    *(struct scalana_projection *)row = (struct scalana_projection){
        .ranks = p->ranks, .share = p->share, .share_ci = {p->share_ci[0], p->share_ci[1]}};
}

int scalana_report_projections(const scalana_report *report, uint32_t nonscalable, uint32_t first,
                               uint32_t count, struct scalana_projection *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_index(nonscalable, report->of->nnonscalable, "non-scalable vertex");
    if (status != SCA_OK)
        return status;
    const struct sca_report_nonscalable *of = &report->of->nonscalable[nonscalable];
    struct sca_listing rows = {"projections", of->nprojections, sizeof *out, fill_projection, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_abnormal(const void *source, uint32_t i, void *row)
{
    const struct sca_report_abnormal *a = &((const struct sca_report *)source)->abnormal[i];
    *(struct scalana_abnormal *)row = (struct scalana_abnormal){.vertex = a->vertex,
                                                                .ranks_of_run = a->ranks_of_run,
                                                                .nranks = a->nranks,
                                                                .ranks = a->ranks,
                                                                .ratio = a->ratio,
                                                                .excess_core_s = a->excess_core_s};
}

int scalana_report_abnormal(const scalana_report *report, uint32_t first, uint32_t count,
                            struct scalana_abnormal *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"abnormal vertices", report->of->nabnormal, sizeof *out,
                               fill_abnormal, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_wait(const void *source, uint32_t i, void *row)
{
    const struct sca_report_wait *w = &((const struct sca_report *)source)->waits[i];
    *(struct scalana_wait *)row = (struct scalana_wait){.vertex = w->vertex,
                                                        .wait_class = w->wait_class,
                                                        .count = w->count,
                                                        .wait_core_s = w->wait_core_s,
                                                        .direct_core_s = w->direct_core_s,
                                                        .indirect_core_s = w->indirect_core_s};
}

int scalana_report_waits(const scalana_report *report, uint32_t first, uint32_t count,
                         struct scalana_wait *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"waits", report->of->nwaits, sizeof *out, fill_wait, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_source(const void *source, uint32_t i, void *row)
{
    const struct sca_report_source *s = &((const struct sca_report *)source)->sources[i];
    *(struct scalana_source *)row = (struct scalana_source){.file = s->file, .md5 = s->md5};
}

int scalana_report_sources(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_source *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"sources", report->of->nsources, sizeof *out, fill_source,
                               report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

const char *scalana_report_note(const scalana_report *report, uint32_t note)
{
    if (sca_arguments_there(report, "report") ||
        sca_arguments_index(note, report->of->nnotes, "note"))
        return NULL;
    return report->of->notes[note];
}

const char *scalana_report_warning(const scalana_report *report, uint32_t warning)
{
    if (sca_arguments_there(report, "report") ||
        sca_arguments_index(warning, report->of->nwarnings, "warning"))
        return NULL;
    return report->of->warnings[warning];
}
