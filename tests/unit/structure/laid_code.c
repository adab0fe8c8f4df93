#include "laid_code.h"
#include "check_main.h"
#include "decode/x86_64.h"
#include "image/call_name.h"
#include "sca_error.h"

static bool never_returns(const void *names, const char *name)
{
    (void)names;
    return sca_call_name_never_returns(name);
}

/* Where the parts lie may have changed since the last call. */
static void connect(struct laid_code *laid)
{
    laid->image.decoder = &sca_decoder_x86_64;
    laid->image.sections = laid->sections;
    laid->image.slots = laid->slots;
    laid->functions.list = laid->list;
    laid->functions.named = true;
    laid->code = (struct sca_flow_code){&laid->image, &laid->functions, never_returns, NULL};
}

void laid_section(struct laid_code *laid, uint64_t address, const uint8_t *bytes, size_t size,
                  bool code)
{
    connect(laid);
    ck_assert_uint_lt(laid->image.nsections, MOST_LAID);
    laid->sections[laid->image.nsections++] =
        (struct sca_code_section){.address = address, .size = size, .bytes = bytes, .code = code};
}

void laid_slot(struct laid_code *laid, uint64_t address, const char *name, uint64_t value)
{
    connect(laid);
    ck_assert_uint_lt(laid->image.nslots, MOST_LAID);
    laid->slots[laid->image.nslots++] = (struct sca_code_slot){address, name, value};
}

struct sca_code_function *laid_function(struct laid_code *laid, uint64_t low, uint64_t high,
                                        const char *name)
{
    connect(laid);
    uint32_t index = laid->functions.count++;
    ck_assert_uint_lt(index, MOST_LAID);
    laid->list[index] = (struct sca_code_function){
        .low = low, .high = high, .name = name, .symbol = SCA_NO_CODE, .owner = index};
    return &laid->list[index];
}

void laid_follow(struct laid_code *laid, uint32_t function)
{
    ck_assert_int_eq(sca_flow_graph_fill(&laid->code, function, true, &laid->graph), SCA_OK);
}

void laid_free(struct laid_code *laid)
{
    sca_flow_graph_free(&laid->graph);
    *laid = (struct laid_code){0};
}

uint32_t laid_block(const struct laid_code *laid, uint64_t address)
{
    uint32_t found = sca_flow_graph_block(&laid->graph, address);
    ck_assert_msg(found != SCA_NO_BLOCK, "no block at %llx", (unsigned long long)address);
    return found;
}

static bool leads_to(const struct laid_code *laid, const struct sca_flow_block *block, uint64_t to)
{
    uint32_t wanted = laid_block(laid, to);
    for (uint32_t i = 0; i < block->nsuccessors; i++)
        if (laid->graph.successors[block->successor + i] == wanted)
            return true;
    return false;
}

void laid_check_successors(const struct laid_code *laid, uint64_t block, size_t count,
                           const uint64_t *to)
{
    const struct sca_flow_block *b = &laid->graph.blocks[laid_block(laid, block)];
    ck_assert_msg(b->nsuccessors == count, "%llx leads to %u blocks, not %zu",
                  (unsigned long long)block, b->nsuccessors, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(leads_to(laid, b, to[i]), "%llx does not lead to %llx",
                      (unsigned long long)block, (unsigned long long)to[i]);
}
