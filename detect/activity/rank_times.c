#include "activity/rank_times.h"
#include "activity/rank_summary.h"
#include "base/compare.h"

#include <stdlib.h>

struct way { /* an interval, by its vertices */
    uint32_t from, to;
};

/* Of the graph at hand: which of the shape's computations each interval is. */
struct way_places {
    struct sca_workspace scratch;
    uint32_t graph, n, nways;
    uint32_t *of; /* [interval] */
};

static uint32_t vertex_of(const struct sca_ppg_run *run, uint32_t site)
{
    return site && site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
}

static int by_way(const void *a, const void *b, void *list)
{
    const struct way *ways = list;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    SCA_ORDER(ways[i].from, ways[k].from);
    SCA_ORDER(ways[i].to, ways[k].to);
    return 0;
}

/* Each once, in an order that all ranks of a shape share. */
static void number_ways(struct way_places *p, struct way *ways)
{
    uint32_t *sorted = sca_workspace_alloc(&p->scratch, p->n, sizeof *sorted);
    for (uint32_t i = 0; i < p->n; i++)
        sorted[i] = i;
    if (p->n)
        qsort_r(sorted, p->n, sizeof *sorted, by_way, ways);
    for (uint32_t i = 0; i < p->n; i++) {
        p->nways += !i || by_way(&sorted[i - 1], &sorted[i], ways);
        p->of[sorted[i]] = p->nways - 1;
    }
}

/* Most ranks of a shape have the graph of the one before. */
static void look_at(struct way_places *p, const struct sca_ppg_run *run,
                    const struct sca_rank_summary *summary, uint32_t graph)
{
    if (p->graph == graph)
        return;
    struct sca_graph_words of = sca_rank_summary_graph(summary, graph);
    sca_workspace_free(&p->scratch);
    p->graph = graph;
    p->n = of.nintervals;
    p->nways = 0;
    p->of = sca_workspace_alloc(&p->scratch, p->n, sizeof *p->of);
    struct way *ways = sca_workspace_alloc(&p->scratch, p->n, sizeof *ways);
    for (uint32_t i = 0; i < p->n; i++)
        ways[i] =
            (struct way){vertex_of(run, of.intervals[i][0]), vertex_of(run, of.intervals[i][1])};
    number_ways(p, ways);
}

static void add_seconds(const struct way_places *p, const struct sca_own_times *times,
                        uint32_t nways, double *sums, float *out)
{
    for (uint32_t way = 0; way < nways; way++)
        sums[way] = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->of[i] < nways)
            sums[p->of[i]] += 1e-9 * sca_own_times_ns(times, i);
    for (uint32_t way = 0; way < nways; way++)
        out[way] = (float)sums[way];
}

void sca_rank_times_load(struct sca_workspace *space, const struct sca_task_source *source,
                         const struct sca_rank_shapes *shapes, uint32_t shape,
                         struct sca_rank_times *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const struct sca_rank_summary *summary = sca_rank_summary_of(&scratch, source);
    struct way_places places = {.scratch = {.out_of_memory = space->out_of_memory},
                                .graph = SCA_NONE};
    double *sums = NULL;
    *out = (struct sca_rank_times){.n = shapes->members[shape], .ranks = shapes->ranks[shape]};
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t r = out->ranks[i];
        look_at(&places, source->run, summary, summary->graph[r]);
        if (!i) {
            out->nways = places.nways;
            out->seconds =
                sca_workspace_alloc(space, (size_t)out->n * out->nways, sizeof *out->seconds);
            sums = sca_workspace_alloc(&scratch, out->nways, sizeof *sums);
        }
        add_seconds(&places, &summary->times[r], out->nways, sums,
                    &out->seconds[(size_t)i * out->nways]);
    }
    sca_workspace_free(&places.scratch);
    sca_workspace_free(&scratch);
}
