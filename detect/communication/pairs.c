#include "communication/pairs.h"
#include "base/compare.h"

#include <stdlib.h>

struct pair_numbers {
    struct sca_pairs *pairs;
    /* Per peer, one for what is sent to it and one for what is received: the number of the rank's
     * pair from 1. Those up to `before` are other ranks'. */
    uint32_t (*number)[2];
    size_t before;
};

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

/* A rank makes many calls to few peers. */
static struct sca_pair *pair_with(struct pair_numbers *c, uint32_t rank, uint32_t peer, bool sent)
{
    struct sca_pairs *pairs = c->pairs;
    uint32_t *number = &c->number[peer][sent];
    if (*number <= c->before) {
        pairs->of[pairs->count++] = sent ? (struct sca_pair){.from = rank, .to = peer}
                                         : (struct sca_pair){.from = peer, .to = rank};
        *number = (uint32_t)pairs->count;
    }
    return &pairs->of[*number - 1];
}

static void add_record(struct pair_numbers *c, uint32_t rank, const struct sca_part_peer *p)
{
    bool sent = p->direction == SCA_SENT;
    struct sca_pair *to = pair_with(c, rank, (uint32_t)p->peer, sent);
    *(sent ? &to->messages : &to->received) += p->count;
    *(sent ? &to->bytes : &to->received_bytes) += p->bytes;
}

static void add_rank(struct pair_numbers *c, uint32_t r, const struct sca_rank *rank)
{
    struct sca_pairs *pairs = c->pairs;
    c->before = pairs->count;
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (p->peer >= 0 && (uint32_t)p->peer < pairs->nranks)
            add_record(c, r, p);
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
    struct pair_numbers c = {.pairs = out};
    c.number = sca_workspace_alloc(space, run->nranks, sizeof *c.number);
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_PEERS);
        if (rank->present)
            add_rank(&c, r, rank);
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
