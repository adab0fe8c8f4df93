/*
 * The performance graph for Graphviz: one cluster per rank, its vertices in program order, and the
 * backtracking paths of the causes across them; the same rows and ranks as in the HTML page.
 */
#include "html/html_parts.h"
#include "export/formats.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 24, MOST_RANKS = 32, MOST_PATHS = 8 };

struct picture {
    const struct sca_export *e;
    uint32_t *rows, nrows, ranks[MOST_RANKS], nranks, npaths;
};

static bool has(const uint32_t *values, uint32_t n, uint32_t value)
{
    for (uint32_t i = 0; i < n; i++)
        if (values[i] == value)
            return true;
    return false;
}

static const char *colour(const struct sca_report *r, uint32_t vertex, uint32_t rank, uint32_t of)
{
    for (uint32_t i = 0; i < r->ncauses && i < MOST_PATHS; i++)
        if (r->causes[i].vertex == vertex && has(r->causes[i].ranks, r->causes[i].nranks, rank))
            return ",style=filled,fillcolor=tomato";
    for (uint32_t i = 0; i < r->nabnormal; i++)
        if (r->abnormal[i].vertex == vertex && r->abnormal[i].ranks_of_run == of &&
            has(r->abnormal[i].ranks, r->abnormal[i].nranks, rank))
            return ",style=filled,fillcolor=gold";
    return "";
}

static void put_rank(const struct picture *p, uint32_t rank)
{
    const struct sca_export *e = p->e;
    fprintf(e->out, "subgraph cluster_%u {\nlabel=\"rank %u\";\n", rank, rank);
    for (uint32_t k = 0; k < p->nrows; k++) {
        uint32_t v = p->rows[k];
        fprintf(e->out, "v%u_%u [label=", v, rank);
        sca_export_string(e, e->label[v]);
        fprintf(e->out, ",tooltip=\"%.4g s\"%s];\n", sca_html_rank_s(&e->r->vertices[v], rank),
                colour(e->r, v, rank, e->nranks));
    }
    for (uint32_t k = 1; k < p->nrows; k++)
        fprintf(e->out, "v%u_%u -> v%u_%u [color=gray,arrowhead=none];\n", p->rows[k - 1], rank,
                p->rows[k], rank);
    fputs("}\n", e->out);
}

static bool is_shown(const struct picture *p, const struct sca_report_step *s)
{
    return has(p->rows, p->nrows, s->vertex) && has(p->ranks, p->nranks, s->rank);
}

static void put_path(const struct picture *p, uint32_t number)
{
    static const char *const colours[] = {"red3", "darkorange3", "purple3", "blue3"};
    const struct sca_report_cause *c = &p->e->r->causes[number];
    for (uint32_t k = 1; k < c->npath; k++) {
        const struct sca_report_step *from = &c->path[k - 1], *to = &c->path[k];
        if (!is_shown(p, from) || !is_shown(p, to))
            continue;
        fprintf(p->e->out,
                "v%u_%u -> v%u_%u [constraint=false,penwidth=2,color=%s,label=", from->vertex,
                from->rank, to->vertex, to->rank, colours[number % 4]);
        sca_export_string(p->e, to->via);
        fputs("];\n", p->e->out);
    }
}

static bool is_edge(const struct sca_report_step *a, const struct sca_report_step *b)
{
    return a[0].vertex == b[0].vertex && a[0].rank == b[0].rank && a[1].vertex == b[1].vertex &&
           a[1].rank == b[1].rank;
}

/* Whether a path before it, or a cause's, has the edge that begins at a step. */
static bool is_put(const struct picture *p, uint32_t path, uint32_t step)
{
    const struct sca_report *r = p->e->r;
    const struct sca_report_step *s = &r->paths[path].steps[step];
    for (uint32_t i = 0; i < p->npaths; i++)
        for (uint32_t k = 0; k + 1 < r->causes[i].npath; k++)
            if (is_edge(&r->causes[i].path[k], s))
                return true;
    for (uint32_t i = 0; i < path; i++)
        for (uint32_t k = 0; k + 1 < r->paths[i].nsteps; k++)
            if (is_edge(&r->paths[i].steps[k], s))
                return true;
    return false;
}

/* Those of no cause too; beside the causes' own they are thin. */
static void put_all_paths(const struct picture *p)
{
    for (uint32_t i = 0; i < p->e->r->npaths; i++) {
        const struct sca_report_path *path = &p->e->r->paths[i];
        for (uint32_t k = 1; k < path->nsteps; k++) {
            const struct sca_report_step *from = &path->steps[k - 1], *to = &path->steps[k];
            if (is_shown(p, from) && is_shown(p, to) && !is_put(p, i, k - 1))
                fprintf(p->e->out,
                        "v%u_%u -> v%u_%u [constraint=false,color=steelblue,tooltip=\"path %u, "
                        "%s\"];\n",
                        from->vertex, from->rank, to->vertex, to->rank, i + 1, to->via);
        }
    }
}

static void put_picture(const struct picture *p)
{
    fputs("digraph ", p->e->out);
    sca_export_string(p->e, p->e->r->program);
    fputs(" {\nrankdir=TB;\nnode [shape=box,fontsize=10];\n", p->e->out);
    for (uint32_t i = 0; i < p->nranks; i++)
        put_rank(p, p->ranks[i]);
    put_all_paths(p);
    for (uint32_t i = 0; i < p->npaths; i++)
        put_path(p, i);
    fputs("}\n", p->e->out);
}

int sca_dot_write(const struct sca_export *e)
{
    struct sca_html h;
    struct picture p = {.e = e};
    int status = sca_html_open(&h, e->r, e->out);
    p.npaths = e->r->ncauses < MOST_PATHS ? e->r->ncauses : MOST_PATHS;
    if (status == SCA_OK && !(p.rows = sca_html_rows(&h, MOST_ROWS, &p.nrows)))
        status = sca_fail(SCA_ENOMEM, "out of memory for the graph");
    if (status == SCA_OK) {
        p.nranks = sca_html_some_ranks(&h, p.npaths, MOST_RANKS, p.ranks);
        put_picture(&p);
    }
    free(p.rows);
    sca_html_close(&h);
    return status;
}
