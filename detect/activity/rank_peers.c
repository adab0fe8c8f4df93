#include "activity/rank_peers.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

struct counting_peers {
    struct sca_workspace *space;
    uint32_t *list, n, room; /* peers of the rank at hand */
    struct sca_rank_peers *out;
};

static void add(struct counting_peers *c, uint32_t peer)
{
    if (c->n == c->room) {
        uint32_t room = c->room ? 2 * c->room : 64;
        c->list = sca_workspace_grow(c->space, c->list, c->n, room, sizeof *c->list);
        c->room = room;
    }
    c->list[c->n++] = peer;
}

static void add_distance(struct counting_peers *c, uint32_t distance)
{
    for (uint32_t i = 0; i < c->out->ndistances; i++)
        if (c->out->distances[i] == distance)
            return;
    if (c->out->ndistances < SCA_MOST_DISTANCES)
        c->out->distances[c->out->ndistances++] = distance;
}

static void look(struct counting_peers *c, const struct sca_rank *rank, uint32_t number,
                 uint32_t nranks)
{
    uint32_t n = 0;
    c->n = 0;
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (p->peer >= 0 && (uint32_t)p->peer < nranks && (uint32_t)p->peer != number && p->count)
            add(c, (uint32_t)p->peer);
    }
    if (c->n)
        qsort(c->list, c->n, sizeof *c->list, by_number);
    for (uint32_t i = 0; i < c->n; i++)
        if (!i || c->list[i] != c->list[i - 1]) {
            n++;
            add_distance(c, (c->list[i] + nranks - number) % nranks);
        }
    c->out->count[number] = n;
    c->out->only[number] = n == 1 ? c->list[0] : SCA_NONE;
}

void sca_rank_peers_find(struct sca_workspace *space, const struct sca_task_source *source,
                         struct sca_rank_peers *out)
{
    uint32_t nranks = source->run->nranks;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct counting_peers c = {.space = &scratch, .out = out};
    *out = (struct sca_rank_peers){.count = sca_workspace_alloc(space, nranks, sizeof(uint32_t)),
                                   .only = sca_workspace_alloc(space, nranks, sizeof(uint32_t))};
    for (uint32_t r = 0; r < nranks; r++)
        look(&c, sca_rank_open(source->opened, r, SCA_OPEN_PEERS), r, nranks);
    sca_workspace_free(&scratch);
}
