#include "activity/rank_summary.h"

#include <string.h>

struct uniting { /* numbers in `to` of the lists in `from` */
    struct sca_workspace scratch;
    uint32_t *graphs, *calls, *distances;
};

static uint32_t *add_lists(struct sca_workspace *space, struct sca_word_lists *to,
                           const struct sca_word_lists *from)
{
    uint32_t *numbers = sca_workspace_alloc(space, from->n, sizeof *numbers);
    for (uint32_t i = 0; i < from->n; i++)
        numbers[i] = sca_word_lists_add(to, from->of[i].words, from->of[i].n);
    return numbers;
}

/* Their first word is the number of their calls. */
static void add_distances(struct uniting *u, struct sca_word_lists *to,
                          const struct sca_word_lists *from)
{
    uint32_t *words = NULL, room = 0;
    u->distances = sca_workspace_alloc(&u->scratch, from->n, sizeof *u->distances);
    for (uint32_t i = 0; i < from->n; i++) {
        const struct sca_word_list *list = &from->of[i];
        if (list->n > room)
            words = sca_workspace_alloc(&u->scratch, room = 2 * list->n, sizeof *words);
        memcpy(words, list->words, list->n * sizeof *words);
        words[0] = u->calls[words[0]];
        u->distances[i] = sca_word_lists_add(to, words, list->n);
    }
}

static void *copy_of(struct sca_workspace *space, const void *list, uint32_t n, size_t size)
{
    return list ? memcpy(sca_workspace_alloc(space, n, size), list, n * size) : NULL;
}

static void add_rank(struct sca_rank_summary *to, const struct sca_rank_summary *from,
                     const struct uniting *u, uint32_t rank)
{
    const struct sca_own_times *times = &from->times[rank];
    uint32_t n = sca_rank_summary_graph(from, from->graph[rank]).nintervals;
    to->graph[rank] = u->graphs[from->graph[rank]];
    to->peers[rank] = u->distances[from->peers[rank]];
    to->own_s[rank] = from->own_s[rank];
    to->own_ns[rank] = from->own_ns[rank];
    to->times[rank] =
        (struct sca_own_times){copy_of(to->space, times->narrow, n, sizeof *times->narrow),
                               copy_of(to->space, times->wide, n, sizeof *times->wide)};
}

void sca_rank_summary_unite(struct sca_rank_summary *to, const struct sca_rank_summary *from)
{
    if (!from->graph)
        return;
    struct uniting u = {.scratch = {.out_of_memory = to->space->out_of_memory}};
    u.graphs = add_lists(&u.scratch, &to->graphs, &from->graphs);
    u.calls = add_lists(&u.scratch, &to->calls, &from->calls);
    add_distances(&u, &to->distances, &from->distances);
    for (uint32_t r = 0; r < from->nranks; r++)
        if (from->graph[r] != SCA_NONE && to->graph[r] == SCA_NONE)
            add_rank(to, from, &u, r);
    sca_workspace_free(&u.scratch);
}
