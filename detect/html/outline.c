#include "html/outline.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_children(struct sca_outline *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        o->first[i] = o->next[i] = UINT32_MAX;
    for (uint32_t i = o->n; i-- > 0;) {
        uint32_t parent = o->r->vertices[i].parent;
        if (parent != i) {
            o->next[i] = o->first[parent];
            o->first[parent] = i;
        }
    }
}

/* The vertex after `at` below `root`; UINT32_MAX at the end. */
static uint32_t step(const struct sca_outline *o, uint32_t at, uint32_t root)
{
    uint32_t to = o->first[at];
    while (to == UINT32_MAX && at != root) {
        to = o->next[at];
        at = o->r->vertices[at].parent;
    }
    return to;
}

static void set_order(struct sca_outline *o)
{
    uint32_t used = 0;
    for (uint32_t root = 0; root < o->n; root++) {
        if (o->r->vertices[root].parent != root)
            continue;
        for (uint32_t at = root; at != UINT32_MAX && used < o->n; at = step(o, at, root)) {
            o->depth[at] = at == root ? 0 : o->depth[o->r->vertices[at].parent] + 1;
            o->place[at] = used;
            o->order[used++] = at;
        }
    }
}

int sca_outline_open(struct sca_outline *o, const struct sca_report *report)
{
    size_t n = report->nvertices + (size_t)1;
    uint32_t *all = calloc(5 * n, sizeof *all);
    *o = (struct sca_outline){.r = report, .n = report->nvertices, .order = all};
    if (!all)
        return sca_fail(SCA_ENOMEM, "out of memory for %u vertices", report->nvertices);
    o->place = all + n;
    o->depth = all + 2 * n;
    o->first = all + 3 * n;
    o->next = all + 4 * n;
    set_children(o);
    set_order(o);
    return SCA_OK;
}

void sca_outline_close(struct sca_outline *o)
{
    free(o->order);
}

static double at(const double *values, uint32_t n, uint32_t i)
{
    return i < n && isfinite(values[i]) ? values[i] : 0;
}

static bool is_mpi(const struct sca_report_vertex *v)
{
    return !strcmp(v->kind, "mpi");
}

double sca_outline_rank_s(const struct sca_outline *o, uint32_t vertex, uint32_t rank)
{
    const struct sca_report_vertex *v = o->r->vertices;
    double own = at(v[vertex].rank_s, v[vertex].nranks, rank);
    for (uint32_t c = o->first[vertex]; c != UINT32_MAX && !is_mpi(&v[vertex]); c = o->next[c])
        if (!is_mpi(&v[c]))
            own -= at(v[c].rank_s, v[c].nranks, rank);
    return fmax(0, own);
}

double sca_outline_run_s(const struct sca_outline *o, uint32_t vertex, uint32_t run)
{
    const struct sca_report_vertex *v = o->r->vertices;
    double own = at(v[vertex].run_s, v[vertex].nruns, run);
    for (uint32_t c = o->first[vertex]; c != UINT32_MAX && !is_mpi(&v[vertex]); c = o->next[c])
        if (!is_mpi(&v[c]))
            own -= at(v[c].run_s, v[c].nruns, run);
    return fmax(0, own);
}
