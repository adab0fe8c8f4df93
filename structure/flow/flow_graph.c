#include "flow/flow_graph.h"

#include <stdlib.h>
#include <string.h>

static void clear(struct sca_flow_graph *g)
{
    for (size_t i = 0; i < g->nspans; i++)
        free(g->spans[i].marks);
    g->nspans = g->ninstructions = g->njumps = g->nroots = 0;
    g->nblocks = g->nsuccessors = g->nloops = g->nreached = 0;
    g->returns = false;
}

static int in_order(const void *a, const void *b)
{
    const struct sca_instruction *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static bool is_in_order(const struct sca_flow_graph *g)
{
    size_t i = 1;
    while (i < g->ninstructions && g->instructions[i - 1].address < g->instructions[i].address)
        i++;
    return i >= g->ninstructions;
}

static int jump_order(const void *a, const void *b)
{
    const struct sca_flow_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

int sca_flow_graph_fill(const struct sca_flow_code *code, uint32_t function, bool loops,
                        struct sca_flow_graph *g)
{
    clear(g);
    int status = sca_flow_trace(code, function, g);
    if (!is_in_order(g))
        qsort(g->instructions, g->ninstructions, sizeof *g->instructions, in_order);
    if (g->njumps)
        qsort(g->jumps, g->njumps, sizeof *g->jumps, jump_order);
    if (!status)
        status = sca_flow_blocks(code, g);
    if (!status)
        status = sca_flow_order(g);
    if (!status)
        sca_flow_find_return(code, g);
    if (!status && loops)
        status = sca_flow_loops(g);
    return status;
}

void sca_flow_graph_free(struct sca_flow_graph *g)
{
    clear(g);
    free(g->spans);
    free(g->instructions);
    free(g->jumps);
    free(g->roots);
    free(g->blocks);
    free(g->successors);
    free(g->loops);
    free(g->ordered);
    *g = (struct sca_flow_graph){0};
}

size_t sca_flow_graph_find(const struct sca_flow_graph *g, uint64_t address)
{
    size_t low = 0, high = g->ninstructions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->instructions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t sca_flow_graph_block(const struct sca_flow_graph *g, uint64_t address)
{
    size_t low = 0, high = g->nblocks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->instructions[g->blocks[middle].first].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < g->nblocks && g->instructions[g->blocks[low].first].address == address;
    return found ? (uint32_t)low : SCA_NO_BLOCK;
}

/* What a call or jump leads to, by name; NULL if it stays inside or is unknown. */
static const char *name_outside(const struct sca_flow_code *code, const struct sca_instruction *in)
{
    if (in->flow == SCA_FLOW_CALL_INDIRECT || in->flow == SCA_FLOW_JUMP_INDIRECT)
        return in->target ? sca_code_image_slot(code->image, in->target) : NULL;
    return sca_code_image_stub(code->image, in->target);
}

bool sca_flow_comes_back(const struct sca_flow_code *code, const struct sca_instruction *in)
{
    bool direct = in->flow == SCA_FLOW_CALL || in->flow == SCA_FLOW_JUMP;
    uint32_t at = direct ? sca_code_functions_from(code->functions, in->target) : SCA_NO_CODE;
    if (at != SCA_NO_CODE)
        return !code->functions->list[at].no_return;
    const char *name = name_outside(code, in);
    return !name || !code->no_return(code->names, name);
}
