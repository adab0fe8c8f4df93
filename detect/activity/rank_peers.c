#include "activity/rank_peers.h"
#include "activity/rank_summary.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

struct listed_peers { /* a list of peers */
    uint32_t count;   /* other ranks in it */
    uint32_t only;    /* the one, by its distance; SCA_NONE */
};

static void add_distance(struct sca_rank_peers *out, uint32_t distance)
{
    for (uint32_t i = 0; i < out->ndistances; i++)
        if (out->distances[i] == distance)
            return;
    if (out->ndistances < SCA_MOST_DISTANCES)
        out->distances[out->ndistances++] = distance;
}

static struct listed_peers look(const struct sca_word_list *list, struct sca_workspace *space,
                                struct sca_rank_peers *out)
{
    struct listed_peers found = {0, SCA_NONE};
    uint32_t *distances = sca_workspace_alloc(space, list->n, sizeof *distances);
    uint32_t n = list->n - 1; /* behind the number of its calls */
    memcpy(distances, list->words + 1, n * sizeof *distances);
    qsort(distances, n, sizeof *distances, by_number);
    for (uint32_t i = 0; i < n && distances[i] < SCA_PEER_FOREIGN; i++) {
        bool self = !distances[i], again = i && distances[i] == distances[i - 1];
        if (self || again)
            continue;
        found.only = found.count++ ? SCA_NONE : distances[i];
        add_distance(out, distances[i]);
    }
    return found;
}

void sca_rank_peers_find(struct sca_workspace *space, const struct sca_task_source *source,
                         struct sca_rank_peers *out)
{
    uint32_t nranks = source->run->nranks;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const struct sca_rank_summary *summary = sca_rank_summary_of(&scratch, source);
    struct listed_peers *lists = sca_workspace_alloc(&scratch, summary->distances.n, sizeof *lists);
    *out = (struct sca_rank_peers){.count = sca_workspace_alloc(space, nranks, sizeof(uint32_t)),
                                   .only = sca_workspace_alloc(space, nranks, sizeof(uint32_t))};
    for (uint32_t i = 0; i < summary->distances.n; i++) {
        struct sca_workspace list = {.out_of_memory = space->out_of_memory};
        lists[i] = look(&summary->distances.of[i], &list, out);
        sca_workspace_free(&list);
    }
    for (uint32_t r = 0; r < nranks; r++) {
        bool there = summary->graph[r] != SCA_NONE;
        struct listed_peers of =
            there ? lists[summary->peers[r]] : (struct listed_peers){0, SCA_NONE};
        out->count[r] = of.count;
        out->only[r] =
            of.only == SCA_NONE ? SCA_NONE : (uint32_t)(((uint64_t)r + of.only) % nranks);
    }
    sca_workspace_free(&scratch);
}
