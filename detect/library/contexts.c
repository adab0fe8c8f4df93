/* The contexts of the graph. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"
#include "sca_error.h"
#include "scalana/graph.h"

#include <assert.h>

static_assert(SCALANA_ROOT == (int)SCA_ROOT && SCALANA_LOOP == (int)SCA_LOOP &&
                  SCALANA_BRANCH == (int)SCA_BRANCH && SCALANA_CALL == (int)SCA_CALL &&
                  SCALANA_MPI == (int)SCA_MPI && SCALANA_COMPUTATION == (int)SCA_COMP,
              "kinds are handed on as they are");

static const char *text(const char *known)
{
    return known ? known : "";
}

static void fill_context(const void *source, uint32_t i, void *row)
{
    const struct scalana_runs *runs = source;
    const struct sca_ppg_vertex *v = &runs->loaded.ppg->vertices[i];
    *(struct scalana_context *)row = (struct scalana_context){.parent = v->parent,
                                                              .end = runs->ends[i],
                                                              .kind = v->kind,
                                                              .order = v->order,
                                                              .arm = v->arm,
                                                              .line = v->line,
                                                              .end_line = v->end_line,
                                                              .has_structure = v->has_psg,
                                                              .name = text(v->name),
                                                              .function = text(v->function),
                                                              .file = text(v->file)};
}

uint32_t scalana_graph_count(const scalana_runs *runs)
{
    return runs ? runs->loaded.ppg->nvertices : 0;
}

int scalana_graph_contexts(const scalana_runs *runs, uint32_t first, uint32_t count,
                           struct scalana_context *out, size_t size)
{
    int status = sca_arguments_there(runs, "runs");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"contexts", scalana_graph_count(runs), sizeof *out, fill_context,
                               runs};
    return sca_rows_copy(&rows, first, count, out, size);
}

uint32_t scalana_graph_notes(const scalana_runs *runs)
{
    return runs ? runs->loaded.ppg->nnotes : 0;
}

const char *scalana_graph_note(const scalana_runs *runs, uint32_t note)
{
    if (sca_arguments_there(runs, "runs") ||
        sca_arguments_index(note, runs->loaded.ppg->nnotes, "note"))
        return NULL;
    return runs->loaded.ppg->notes[note];
}
