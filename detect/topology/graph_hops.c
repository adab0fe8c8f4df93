#include "topology/graph_hops.h"
#include "topology/topology_words.h"

#include <string.h>

struct hop_walk {
    const struct sca_profile *profile;
    uint32_t comm;
    uint32_t *queue, begin, end; /* members in the order in which they are reached */
    uint32_t *hops;              /* per rank; SCA_NONE: not reached, or no member */
    const struct sca_topology *topology;
};

static bool words_of(const struct hop_walk *w, uint32_t r, struct sca_topology_words *words)
{
    const struct sca_rank *rank = &w->profile->ranks[r];
    for (uint32_t i = 0; i < rank->ncomms; i++)
        if (rank->comms[i] == w->comm && rank->topologies[i][0])
            return sca_topology_words_read(rank->topologies[i], words);
    return false;
}

static void reach(struct hop_walk *w, uint32_t rank, uint32_t hops)
{
    if (w->hops[rank] != SCA_NONE || !sca_topology_place(w->topology, rank))
        return;
    w->hops[rank] = hops;
    w->queue[w->end++] = rank;
}

/* False: whom a rank sends to is not known. */
static bool go_on(struct hop_walk *w)
{
    struct sca_topology_words words;
    while (w->begin < w->end) {
        uint32_t rank = w->queue[w->begin++];
        if (!words_of(w, rank, &words) || (words.place[words.width - 1] && !words.nto))
            return false;
        for (uint32_t i = 0; i < words.nto; i++)
            if ((uint32_t)words.to[i] < w->profile->nranks)
                reach(w, (uint32_t)words.to[i], w->hops[rank] + 1);
    }
    return true;
}

/* Its degree is the last number of a rank's place: of a directed graph, whom it sends to. */
static bool walk_all(struct hop_walk *w)
{
    for (uint32_t r = 0; r < w->profile->nranks; r++) {
        uint32_t farthest = w->end ? w->hops[w->queue[w->end - 1]] + 1 : 0;
        reach(w, r, farthest);
        if (!go_on(w))
            return false;
    }
    return true;
}

static void put_places(struct sca_workspace *space, const struct hop_walk *w,
                       struct sca_topology *t)
{
    uint32_t levels = w->hops[w->queue[w->end - 1]] + 1;
    uint32_t *width = sca_workspace_alloc(space, levels, sizeof *width);
    t->ndims = 2;
    t->dims = sca_workspace_alloc(space, 2, sizeof *t->dims);
    t->periodic = sca_workspace_alloc(space, 2, sizeof *t->periodic);
    t->dimension_names = sca_workspace_alloc(space, 2, sizeof *t->dimension_names);
    t->coordinates = sca_workspace_alloc(space, 2 * (size_t)t->nranks, sizeof *t->coordinates);
    t->dimension_names[0] = "hops";
    t->dimension_names[1] = "member";
    t->dims[0] = levels;
    for (uint32_t r = 0; r < t->nranks; r++) {
        int32_t *place = &t->coordinates[2 * (size_t)r];
        place[0] = w->hops[r] == SCA_NONE ? -1 : (int32_t)w->hops[r];
        place[1] = w->hops[r] == SCA_NONE ? 0 : (int32_t)width[w->hops[r]]++;
        if ((uint32_t)place[1] >= t->dims[1])
            t->dims[1] = (uint32_t)place[1] + 1;
    }
}

bool sca_graph_hops_place(struct sca_workspace *space, const struct sca_profile *p, uint32_t comm,
                          struct sca_topology *t)
{
    struct hop_walk w = {.profile = p, .comm = comm, .topology = t};
    w.queue = sca_workspace_alloc(space, p->nranks, sizeof *w.queue);
    w.hops = sca_workspace_alloc(space, p->nranks, sizeof *w.hops);
    memset(w.hops, 0xff, p->nranks * sizeof *w.hops); /* SCA_NONE */
    if (!walk_all(&w) || w.hops[w.queue[w.end - 1]] < 2)
        return false;
    put_places(space, &w, t);
    return true;
}
