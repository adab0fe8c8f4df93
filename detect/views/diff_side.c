/* One side of a comparison, from a run directory or from a report. */
#include "views/diff.h"
#include "graph/same_place.h"
#include "load/run_loading.h"
#include "report/verdict.h"
#include "sca_error.h"
#include "sca_progress.h"
#include "sca_psg.h"
#include "sca_report.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static uint32_t kind_of(const char *name)
{
    for (uint32_t kind = SCA_ROOT; kind <= SCA_COMP; kind++)
        if (!strcmp(name, sca_psg_kind_name(kind)))
            return kind;
    return SCA_COMP;
}

static struct sca_ppg_vertex vertex_of(const struct sca_report_vertex *v)
{
    uint32_t kind = kind_of(v->kind);
    bool named = kind == SCA_CALL || kind == SCA_MPI;
    return (struct sca_ppg_vertex){.parent = v->parent,
                                   .kind = kind,
                                   .order = v->line,
                                   .name = named ? v->name : "",
                                   .function = v->function,
                                   .file = v->file,
                                   .line = v->line,
                                   .end_line = v->end_line};
}

/* What counts where ranks shared cores: time in MPI is mostly scheduling there. */
static void take_replayed(struct sca_workspace *space, struct sca_diff_side *out)
{
    const struct sca_report *r = out->report;
    out->core_s = r->runs[r->nruns - 1].account.base_core_s;
    out->step_ns = r->runs[r->nruns - 1].core_step_ns;
    out->by_chance = r->runs[r->nruns - 1].account.disturbed_core_s;
    if (!(out->core_s > 0))
        return;
    out->replayed = sca_workspace_alloc(space, r->nvertices, sizeof *out->replayed);
    for (uint32_t v = 0; v < r->nvertices; v++)
        out->replayed[v] = out->vertices[v].kind == SCA_MPI ? 0 : out->own[v];
    for (uint32_t i = 0; i < r->nwaits; i++)
        if (out->vertices[r->waits[i].vertex].kind == SCA_MPI)
            out->replayed[r->waits[i].vertex] += r->waits[i].wait_core_s;
}

/* Reports have computation with all below it; own time is what the children leave. */
static void take_report(struct sca_workspace *space, struct sca_diff_side *out)
{
    const struct sca_report *r = out->report;
    struct sca_ppg_vertex *vertices = sca_workspace_alloc(space, r->nvertices, sizeof *vertices);
    out->own = sca_workspace_alloc(space, r->nvertices, sizeof *out->own);
    out->nvertices = r->nvertices;
    out->vertices = vertices;
    out->program = r->program;
    out->ranks = r->runs[r->nruns - 1].ranks;
    out->wall = r->runs[r->nruns - 1].wall_s;
    out->shared = r->runs[r->nruns - 1].oversubscribed || r->runs[r->nruns - 1].account.is_virtual;
    out->virtual_wall = r->runs[r->nruns - 1].account.duration_s;
    for (uint32_t v = 0; v < r->nvertices; v++)
        vertices[v] = vertex_of(&r->vertices[v]);
    sca_same_place_number(vertices, r->nvertices);
    for (uint32_t v = 0; v < r->nvertices; v++) {
        const struct sca_report_vertex *from = &r->vertices[v];
        double seconds = from->nruns ? from->run_s[from->nruns - 1] : 0;
        out->own[v] += seconds;
        if (vertices[v].kind != SCA_MPI && from->parent != v)
            out->own[from->parent] -= seconds;
    }
    for (uint32_t v = 0; v < r->nvertices; v++)
        out->own[v] = fmax(0, out->own[v]);
    take_replayed(space, out);
}

static int read_report(const char *path, struct sca_report **out)
{
    sca_progress_watch("reading %s", path);
    int status = sca_report_read(path, out);
    sca_progress_end();
    if (status == SCA_OK && (!(*out)->nruns || !(*out)->nvertices))
        status = sca_fail(SCA_EFORMAT, "%s: a report without runs", path);
    return status;
}

/* The report that scalana-detect would make of the run. */
static int analyse_run(const char *path, const struct sca_settings *settings,
                       struct sca_report **out)
{
    char *directory = (char *)(uintptr_t)path;
    struct sca_settings own = *settings;
    struct sca_runs runs;
    struct sca_verdict verdict = {0};
    own.text_only = true;
    int status = sca_runs_load(&directory, 1, &own, &runs);
    if (status == SCA_OK)
        status = sca_verdict_find(runs.ppg, &own, &verdict);
    sca_progress_end();
    sca_runs_free(&runs);
    *out = verdict.report;
    return status;
}

int sca_diff_open(struct sca_workspace *space, const char *operand,
                  const struct sca_settings *settings, struct sca_diff_side *out)
{
    struct stat st;
    bool is_file = !stat(operand, &st) && !S_ISDIR(st.st_mode);
    out->name = operand;
    int status =
        is_file ? read_report(operand, &out->report) : analyse_run(operand, settings, &out->report);
    if (status == SCA_OK)
        take_report(space, out);
    return status;
}

void sca_diff_close(struct sca_diff_side *side)
{
    sca_report_free(side->report);
}
