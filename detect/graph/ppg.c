#include "graph/ppg.h"
#include "sca_arena.h"

#include <stdlib.h>
#include <string.h>

static void free_shares(struct sca_ppg *ppg)
{
    for (uint32_t r = 0; ppg->runs && r < ppg->nruns; r++) {
        free(ppg->runs[r].shares);
        sca_intervals_free(&ppg->runs[r].intervals);
    }
}

void sca_ppg_free(struct sca_ppg *ppg)
{
    if (!ppg)
        return;
    free_shares(ppg);
    sca_inner_function_free(&ppg->inners);
    if (ppg->memory)
        sca_arena_free(ppg->memory);
    free(ppg->memory);
    free(ppg);
}

/* ---- questions about the finished graph ---- */

void sca_ppg_ends(const struct sca_ppg *ppg, uint32_t *ends)
{
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        ends[v] = v + 1;
    for (uint32_t v = ppg->nvertices; v-- > 1;)
        if (ends[ppg->vertices[v].parent] < ends[v])
            ends[ppg->vertices[v].parent] = ends[v];
}

void sca_ppg_inclusive(const struct sca_ppg *ppg, const double *exclusive, uint32_t nranks,
                       uint32_t rank, double *out)
{
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        out[v] = exclusive[(size_t)v * nranks + rank];
    for (uint32_t v = ppg->nvertices; v-- > 1;)
        out[ppg->vertices[v].parent] += out[v];
}

static uint32_t loop_around(const struct sca_ppg *ppg, uint32_t vertex)
{
    for (uint32_t v = vertex; v; v = ppg->vertices[v].parent)
        if (ppg->vertices[v].kind == SCA_LOOP)
            return v;
    return vertex;
}

uint32_t sca_ppg_common_ancestor(const struct sca_ppg *ppg, uint32_t a, uint32_t b)
{
    while (a != b) /* parents come first: the greater index is never an ancestor */
        if (a > b)
            a = ppg->vertices[a].parent;
        else
            b = ppg->vertices[b].parent;
    return a;
}

uint32_t sca_ppg_vertex_between(const struct sca_ppg *ppg, uint32_t from, uint32_t to)
{
    uint32_t a = from == SCA_NONE ? 0 : from, b = to, below_a = a, below_b = b;
    while (a != b) { /* parents come first: the greater index is never an ancestor */
        if (a > b) {
            below_a = a;
            a = ppg->vertices[a].parent;
        } else {
            below_b = b;
            b = ppg->vertices[b].parent;
        }
    }
    if (ppg->vertices[a].kind == SCA_MPI)
        a = ppg->vertices[a].parent;
    bool sides = ppg->vertices[a].kind == SCA_BRANCH &&
                 ppg->vertices[below_a].arm != ppg->vertices[below_b].arm;
    bool back = from != SCA_NONE && from >= to;
    return back || sides ? loop_around(ppg, a) : a;
}
