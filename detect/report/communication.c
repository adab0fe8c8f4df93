#include "report/communication.h"
#include "communication/calls.h"
#include "communication/pairs.h"
#include "report/report_memory.h"

static void fill_pairs(struct sca_analysis *c, const struct sca_pairs *pairs,
                       struct sca_report_communication *to)
{
    struct sca_pair_blocks blocks;
    sca_pairs_by_block(c->space, pairs, SCA_MOST_BLOCKS, &blocks);
    uint32_t cells = blocks.count * blocks.count;
    to->nblocks = blocks.count;
    to->block_ranks = blocks.ranks;
    to->pairs = sca_report_memory_take(c, cells + 1, sizeof *to->pairs);
    for (uint32_t i = 0; i < cells; i++)
        if (blocks.messages[i] > 0)
            to->pairs[to->npairs++] = (struct sca_report_pair){i / blocks.count, i % blocks.count,
                                                               blocks.messages[i], blocks.bytes[i]};
}

static void fill_sizes(struct sca_analysis *c, const struct sca_calls *calls,
                       struct sca_report_communication *to)
{
    struct sca_report_size sum[SCA_SIZE_CLASSES] = {{0}};
    for (uint32_t v = 0; v < c->ppg->nvertices; v++) {
        const struct sca_call_sizes *of = &calls->sizes[(size_t)v * SCA_CALL_WAYS];
        to->collective_calls += of[SCA_CALL_COLLECTIVE].messages;
        to->collective_bytes += of[SCA_CALL_COLLECTIVE].bytes;
        for (uint32_t k = 0; k < SCA_SIZE_CLASSES; k++) {
            sum[k].messages += of[SCA_CALL_SENT].by_class[k];
            sum[k].collectives += of[SCA_CALL_COLLECTIVE].by_class[k];
        }
    }
    to->sizes = sca_report_memory_take(c, SCA_SIZE_CLASSES, sizeof *to->sizes);
    for (uint32_t k = 0; k < SCA_SIZE_CLASSES; k++) {
        sum[k].from_bytes = sca_size_class_begin(k);
        if (sum[k].messages > 0 || sum[k].collectives > 0)
            to->sizes[to->nsizes++] = sum[k];
    }
}

void sca_communication_fill(struct sca_analysis *c)
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    struct sca_report_communication *to = &c->report->communication;
    struct sca_pairs pairs;
    struct sca_calls calls;
    sca_pairs_collect(c->space, run, &pairs);
    sca_calls_collect(c->space, c->ppg, run, NULL, &calls);
    to->not_in_pairs = (double)(pairs.other_world + pairs.unknown);
    fill_pairs(c, &pairs, to);
    fill_sizes(c, &calls, to);
}
