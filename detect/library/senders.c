#include "library/senders.h"
#include "sca_arena.h"
#include "base/compare.h"
#include "sca_error.h"

#include <stdlib.h>

static int by_rank(const void *a, const void *b)
{
    SCA_ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
    return 0;
}

static int add(struct sca_senders *senders, uint32_t direction, int32_t peer)
{
    if (direction != SCA_RECEIVED || peer < 0)
        return SCA_OK;
    if (sca_arena_grow(&senders->ranks, sizeof *senders->ranks, senders->n, &senders->capacity))
        return SCA_ENOMEM;
    senders->ranks[senders->n++] = (uint32_t)peer;
    return SCA_OK;
}

static void unite(struct sca_senders *senders)
{
    size_t kept = 0;
    if (senders->n)
        qsort(senders->ranks, senders->n, sizeof *senders->ranks, by_rank);
    for (size_t i = 0; i < senders->n; i++)
        if (!kept || senders->ranks[kept - 1] != senders->ranks[i])
            senders->ranks[kept++] = senders->ranks[i];
    senders->n = kept;
}

int sca_senders_of(struct sca_senders *senders, struct sca_opened *opened, uint32_t receiver)
{
    const struct sca_rank *rank =
        sca_rank_open(opened, receiver, SCA_OPEN_PEERS | SCA_OPEN_MESSAGES);
    int status = SCA_OK;
    senders->n = 0;
    for (uint32_t i = 0; status == SCA_OK && i < rank->npeers; i++)
        status = add(senders, rank->peers[i].direction, rank->peers[i].peer);
    for (uint32_t i = 0; status == SCA_OK && i < rank->nmessages; i++)
        status = add(senders, rank->messages[i].direction, rank->messages[i].peer);
    if (status == SCA_OK)
        unite(senders);
    return status;
}

void sca_senders_free(struct sca_senders *senders)
{
    free(senders->ranks);
    *senders = (struct sca_senders){0};
}
