#include "source/loop_blocks.h"
#include "sca_error.h"

#include <stdlib.h>

static void fill(const struct sca_flow_graph *g, struct sca_loop_blocks *out, uint32_t *next)
{
    for (size_t l = 0; l < g->nloops; l++)
        next[l] = out->first[l];
    for (uint32_t b = 0; b < g->nblocks; b++)
        for (uint32_t l = g->blocks[b].loop; l != SCA_NO_LOOP; l = g->loops[l].parent)
            out->blocks[next[l]++] = b;
}

int sca_loop_blocks_list(const struct sca_flow_graph *g, struct sca_loop_blocks *out)
{
    size_t total = 0;
    uint32_t *next = malloc((g->nloops + 1) * sizeof *next);
    out->first = calloc(g->nloops + 1, sizeof *out->first);
    for (uint32_t b = 0; out->first && b < g->nblocks; b++)
        for (uint32_t l = g->blocks[b].loop; l != SCA_NO_LOOP; l = g->loops[l].parent) {
            out->first[l + 1]++;
            total++;
        }
    for (size_t l = 0; out->first && l < g->nloops; l++)
        out->first[l + 1] += out->first[l];
    out->blocks = malloc((total + 1) * sizeof *out->blocks);
    bool ok = next && out->first && out->blocks && total < UINT32_MAX;
    if (ok)
        fill(g, out, next);
    free(next);
    return ok ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for the loops of a function");
}

void sca_loop_blocks_free(struct sca_loop_blocks *list)
{
    free(list->first);
    free(list->blocks);
    *list = (struct sca_loop_blocks){0};
}

bool sca_loop_blocks_holds(const struct sca_flow_graph *g, uint32_t loop, uint32_t block)
{
    uint32_t l = g->blocks[block].loop;
    while (l != SCA_NO_LOOP && l != loop)
        l = g->loops[l].parent;
    return l == loop;
}
