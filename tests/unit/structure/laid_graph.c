#include "laid_graph.h"
#include "check_main.h"
#include "sca_error.h"

#include <stdlib.h>

static void make_blocks(struct sca_flow_graph *g, uint32_t nblocks)
{
    g->instructions = calloc(nblocks, sizeof *g->instructions);
    g->blocks = calloc(nblocks, sizeof *g->blocks);
    g->roots = calloc(1, sizeof *g->roots);
    ck_assert(g->instructions && g->blocks && g->roots);
    g->ninstructions = g->nblocks = nblocks;
    g->nroots = 1;
    for (uint32_t b = 0; b < nblocks; b++) {
        g->instructions[b] = (struct sca_instruction){.address = b, .length = 1};
        g->blocks[b] = (struct sca_flow_block){
            .first = b, .count = 1, .loop = SCA_NO_LOOP, .order = SCA_NO_BLOCK};
    }
}

void laid_graph(struct sca_flow_graph *g, uint32_t nblocks, const struct laid_edge *edges,
                size_t count)
{
    *g = (struct sca_flow_graph){0};
    make_blocks(g, nblocks);
    g->successors = calloc(count + 1, sizeof *g->successors);
    ck_assert_ptr_nonnull(g->successors);
    for (uint32_t b = 0; b < nblocks; b++) {
        g->blocks[b].successor = (uint32_t)g->nsuccessors;
        for (size_t e = 0; e < count; e++)
            if (edges[e].from == b)
                g->successors[g->nsuccessors++] = edges[e].to;
        g->blocks[b].nsuccessors = (uint32_t)g->nsuccessors - g->blocks[b].successor;
    }
    ck_assert_int_eq(sca_flow_order(g), SCA_OK);
    ck_assert_int_eq(sca_flow_loops(g), SCA_OK);
}
