/*
 * The program structure graph as it ran, for Graphviz: loops, branches, calls, MPI and computation
 * by nesting (solid) and, between siblings, by execution order (dashed; paper, Figure 4). The
 * darker a vertex, the more of the largest run's computation (of its time in MPI) it holds; causes
 * have a thick rim. Shapes are those of scalana-static --dump=dot.
 */
#include "export/formats.h"
#include "sca_error.h"

#include <string.h>

static const char *shape(const char *kind)
{
    static const char *const shapes[][2] = {{"root", "house"},
                                            {"loop", "ellipse"},
                                            {"branch", "diamond"},
                                            {"call", "box"},
                                            {"mpi", "doubleoctagon"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(kind, shapes[i][0]))
            return shapes[i][1];
    return "note";
}

/* Core-seconds in the largest run, inner vertices included. */
static double seconds(const struct sca_report_vertex *v)
{
    double sum = 0;
    for (uint32_t rank = 0; rank < v->nranks; rank++)
        sum += v->rank_s[rank];
    return sum;
}

static bool is_cause(const struct sca_report *r, uint32_t vertex)
{
    for (uint32_t i = 0; i < r->ncauses; i++)
        if (r->causes[i].vertex == vertex)
            return true;
    return false;
}

/* Computation and time in MPI are not of a kind: where ranks share cores, that is scheduling. */
static double whole_of(const struct sca_export *e, const char *kind)
{
    const struct sca_report_run *run = e->r->nruns ? &e->r->runs[e->r->nruns - 1] : NULL;
    return !run ? 0 : strcmp(kind, "mpi") ? run->useful_s : run->mpi_s;
}

static void put_vertex(const struct sca_export *e, uint32_t v)
{
    const struct sca_report_vertex *vertex = &e->r->vertices[v];
    double whole = whole_of(e, vertex->kind);
    double share = whole > 0 ? seconds(vertex) / whole : 0;
    fprintf(e->out, "v%u [shape=%s,label=", v, shape(vertex->kind));
    sca_export_string(e, e->label[v]);
    fprintf(e->out, ",tooltip=\"%.4g core-s\",style=filled,fillcolor=\"0.07 %.3f 1.0\"%s];\n",
            seconds(vertex), share < 1 ? share : 1,
            is_cause(e->r, v) ? ",penwidth=4,color=red3" : "");
}

static void put_edges(const struct sca_export *e, uint32_t v)
{
    const struct sca_outline *o = &e->outline;
    for (uint32_t child = o->first[v]; child != UINT32_MAX; child = o->next[child]) {
        fprintf(e->out, "v%u -> v%u;\n", v, child);
        if (o->next[child] != UINT32_MAX)
            fprintf(e->out, "v%u -> v%u [style=dashed,color=gray,constraint=false];\n", child,
                    o->next[child]);
    }
}

int sca_psg_dot_write(const struct sca_export *e)
{
    fputs("digraph ", e->out);
    sca_export_string(e, e->r->program);
    fputs(" {\nrankdir=TB;\nnode [fontsize=10];\n", e->out);
    for (uint32_t i = 0; i < e->outline.n; i++)
        put_vertex(e, e->outline.order[i]);
    for (uint32_t i = 0; i < e->outline.n; i++)
        put_edges(e, e->outline.order[i]);
    fputs("}\n", e->out);
    return SCA_OK;
}
