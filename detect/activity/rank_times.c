#include "activity/rank_times.h"
#include "base/compare.h"

#include <stdlib.h>

struct way {
    uint32_t from, to; /* vertices */
    double seconds;
};

static uint32_t vertex_of(const struct sca_ppg_run *run, uint32_t site)
{
    return site && site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
}

static int by_way(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    SCA_ORDER(x->from, y->from);
    SCA_ORDER(x->to, y->to);
    return 0;
}

/* Those of a rank, each once, in an order that all ranks of its shape share. */
static uint32_t ways_of(struct sca_workspace *space, const struct sca_task_source *source,
                        uint32_t number, struct way **out)
{
    const struct sca_rank *rank = sca_rank_open(source->opened, number, SCA_OPEN_INTERVALS);
    struct way *ways = sca_workspace_alloc(space, rank->nintervals, sizeof *ways);
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        if (v->count)
            ways[n++] =
                (struct way){vertex_of(source->run, v->previous), vertex_of(source->run, v->site),
                             1e-9 * (double)(v->cpu_ns + v->blocked_ns)};
    }
    if (n)
        qsort(ways, n, sizeof *ways, by_way);
    for (uint32_t i = 0; i < n; i++)
        if (kept && !by_way(&ways[kept - 1], &ways[i]))
            ways[kept - 1].seconds += ways[i].seconds;
        else
            ways[kept++] = ways[i];
    *out = ways;
    return kept;
}

void sca_rank_times_load(struct sca_workspace *space, const struct sca_task_source *source,
                         const struct sca_rank_shapes *shapes, uint32_t shape,
                         struct sca_rank_times *out)
{
    uint32_t most = shapes->members[shape];
    *out = (struct sca_rank_times){.ranks = sca_workspace_alloc(space, most, sizeof(uint32_t))};
    for (uint32_t r = shapes->first[shape]; r < source->run->nranks; r++) {
        struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
        struct way *ways;
        if (shapes->of[r] != shape)
            continue;
        uint32_t n = ways_of(&scratch, source, r, &ways);
        if (!out->n) {
            out->nways = n;
            out->seconds = sca_workspace_alloc(space, (size_t)most * n, sizeof *out->seconds);
        }
        for (uint32_t i = 0; i < n && i < out->nways; i++)
            out->seconds[(size_t)out->n * out->nways + i] = (float)ways[i].seconds;
        out->ranks[out->n++] = r;
        sca_workspace_free(&scratch);
    }
}
