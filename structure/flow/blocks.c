#include "flow/flow_graph.h"
#include "sca_error.h"

static bool ends_block(const struct sca_flow_code *code, const struct sca_instruction *in)
{
    switch (in->flow) {
    case SCA_FLOW_NEXT:
    case SCA_FLOW_PAD:
        return false;
    case SCA_FLOW_CALL:
    case SCA_FLOW_CALL_INDIRECT:
        return !sca_flow_comes_back(code, in);
    default:
        return true;
    }
}

static bool is_leader(const struct sca_flow_graph *g, size_t i)
{
    const struct sca_instruction *in = &g->instructions[i], *before = in - 1;
    return !i || before->address + before->length != in->address ||
           (*sca_flow_graph_mark(g, in->address) & SCA_MARK_LEADER);
}

static int cut(const struct sca_flow_code *code, struct sca_flow_graph *g)
{
    bool open = false;
    for (size_t i = 0; i < g->ninstructions; i++) {
        if (!open || is_leader(g, i)) {
            if (g->nblocks >= SCA_NO_BLOCK - 1 ||
                sca_arena_grow(&g->blocks, sizeof *g->blocks, g->nblocks, &g->blocks_capacity))
                return sca_fail(SCA_ENOMEM, "out of memory for the blocks of a function");
            g->blocks[g->nblocks++] = (struct sca_flow_block){
                .first = (uint32_t)i, .loop = SCA_NO_LOOP, .order = SCA_NO_BLOCK};
        }
        g->blocks[g->nblocks - 1].count++;
        open = !ends_block(code, &g->instructions[i]);
    }
    return SCA_OK;
}

static int add_successor(struct sca_flow_graph *g, struct sca_flow_block *block, uint64_t address)
{
    uint32_t to = sca_flow_graph_block(g, address);
    if (to == SCA_NO_BLOCK)
        return SCA_OK;
    if (sca_arena_grow(&g->successors, sizeof *g->successors, g->nsuccessors,
                       &g->successors_capacity))
        return SCA_ENOMEM;
    g->successors[g->nsuccessors++] = to;
    block->nsuccessors++;
    return SCA_OK;
}

static int add_jumps(struct sca_flow_graph *g, struct sca_flow_block *block, uint64_t from)
{
    size_t low = 0, high = g->njumps;
    int status = SCA_OK;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->jumps[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; !status && low < g->njumps && g->jumps[low].from == from; low++)
        status = add_successor(g, block, g->jumps[low].to);
    return status;
}

static int join(const struct sca_flow_code *code, struct sca_flow_graph *g,
                struct sca_flow_block *block)
{
    const struct sca_instruction *last = &g->instructions[block->first + block->count - 1];
    uint64_t next = last->address + last->length;
    block->successor = (uint32_t)g->nsuccessors;
    switch (last->flow) {
    case SCA_FLOW_JUMP:
        return add_successor(g, block, last->target);
    case SCA_FLOW_BRANCH: {
        int status = add_successor(g, block, last->target);
        return status ? status : add_successor(g, block, next);
    }
    case SCA_FLOW_JUMP_INDIRECT:
        return add_jumps(g, block, last->address);
    case SCA_FLOW_CALL:
    case SCA_FLOW_CALL_INDIRECT: {
        int status = add_jumps(g, block, last->address); /* what it throws is caught there */
        return status || ends_block(code, last) ? status : add_successor(g, block, next);
    }
    default:
        return ends_block(code, last) ? SCA_OK : add_successor(g, block, next);
    }
}

/* Whether control leaves the function there: by a return, or by a jump to other code that may come
 * back to the caller. */
static bool leaves(const struct sca_flow_code *code, const struct sca_flow_graph *g,
                   const struct sca_flow_block *block)
{
    const struct sca_instruction *last = &g->instructions[block->first + block->count - 1];
    switch (last->flow) {
    case SCA_FLOW_RETURN:
        return true;
    case SCA_FLOW_JUMP:
    case SCA_FLOW_JUMP_INDIRECT:
        return !block->nsuccessors && sca_flow_comes_back(code, last);
    case SCA_FLOW_BRANCH:
        return block->nsuccessors < 2;
    case SCA_FLOW_NEXT:
    case SCA_FLOW_PAD:
        return !block->nsuccessors;
    default:
        return false;
    }
}

int sca_flow_blocks(const struct sca_flow_code *code, struct sca_flow_graph *g)
{
    int status = cut(code, g);
    for (size_t b = 0; !status && b < g->nblocks; b++)
        status = join(code, g, &g->blocks[b]);
    return status;
}

/* What only unknown jumps could reach does not count; where code goes on that cannot be read, it
 * may return. */
void sca_flow_find_return(const struct sca_flow_code *code, struct sca_flow_graph *g)
{
    for (size_t i = 0; i < g->nreached; i++)
        g->returns |= leaves(code, g, &g->blocks[g->ordered[i]]);
}
