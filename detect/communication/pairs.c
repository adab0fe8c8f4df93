#include "communication/pairs.h"
#include "base/compare.h"

#include <stdlib.h>

/* What one record says of the pair. */
static struct sca_pair pair_of(uint32_t rank, const struct sca_part_peer *p)
{
    uint32_t peer = (uint32_t)p->peer;
    if (p->direction == SCA_SENT)
        return (struct sca_pair){rank, peer, p->count, p->bytes, 0, 0};
    return (struct sca_pair){peer, rank, 0, 0, p->count, p->bytes};
}

static int by_ranks(const void *a, const void *b)
{
    const struct sca_pair *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    return 0;
}

static void unite(struct sca_pairs *pairs)
{
    uint32_t kept = 0;
    if (pairs->count)
        qsort(pairs->of, pairs->count, sizeof *pairs->of, by_ranks);
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct sca_pair *to = kept ? &pairs->of[kept - 1] : NULL, *from = &pairs->of[i];
        if (!to || by_ranks(to, from)) {
            pairs->of[kept++] = *from;
            continue;
        }
        to->messages += from->messages;
        to->bytes += from->bytes;
        to->received += from->received;
        to->received_bytes += from->received_bytes;
    }
    pairs->count = kept;
}

static void add_rank(struct sca_pairs *pairs, uint32_t r, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (p->peer >= 0 && (uint32_t)p->peer < pairs->nranks)
            pairs->of[pairs->count++] = pair_of(r, p);
        else if (p->peer <= SCA_FOREIGN)
            pairs->other_world += p->count;
        else
            pairs->unknown += p->count;
        if (p->direction == SCA_SENT) {
            pairs->messages += p->count;
            pairs->bytes += p->bytes;
        }
    }
}

void sca_pairs_collect(struct sca_workspace *space, const struct sca_ppg_run *run,
                       struct sca_pairs *out)
{
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    size_t records = 0;
    for (uint32_t r = 0; r < run->nranks; r++)
        records += run->profile->ranks[r].npeers;
    *out = (struct sca_pairs){.nranks = run->nranks};
    out->of = sca_workspace_alloc(space, records, sizeof *out->of);
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_PEERS);
        if (rank->present)
            add_rank(out, r, rank);
        else
            out->absent++;
    }
    unite(out);
}

void sca_pairs_by_block(struct sca_workspace *space, const struct sca_pairs *pairs, uint32_t most,
                        struct sca_pair_blocks *out)
{
    uint32_t ranks = (pairs->nranks + most - 1) / most;
    out->ranks = ranks ? ranks : 1;
    out->count = (pairs->nranks + out->ranks - 1) / out->ranks;
    size_t cells = (size_t)out->count * out->count;
    out->messages = sca_workspace_alloc(space, cells, sizeof *out->messages);
    out->bytes = sca_workspace_alloc(space, cells, sizeof *out->bytes);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct sca_pair *p = &pairs->of[i];
        size_t at = (size_t)(p->from / out->ranks) * out->count + p->to / out->ranks;
        out->messages[at] += (double)p->messages;
        out->bytes[at] += (double)p->bytes;
    }
}
