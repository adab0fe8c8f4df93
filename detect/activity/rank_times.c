#include "activity/rank_times.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

struct way { /* an interval of a rank, by its vertices */
    uint32_t from, to;
};

/* Where each interval of a rank counts. Most ranks of a shape have the same intervals in the same
 * order: then it is found once. */
struct way_order {
    struct sca_workspace *space;
    struct way *ways, *known; /* of the rank at hand; of the rank that was read last */
    uint32_t n, nknown, room;
    uint32_t *place;
    uint32_t nplaces;
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

static bool is_same(const struct way *a, const struct way *b)
{
    return a->from == b->from && a->to == b->to;
}

static void make_room(struct way_order *o, uint32_t n)
{
    if (n <= o->room)
        return;
    o->room = 2 * n;
    o->nknown = 0;
    o->ways = sca_workspace_alloc(o->space, o->room, sizeof *o->ways);
    o->known = sca_workspace_alloc(o->space, o->room, sizeof *o->known);
    o->place = sca_workspace_alloc(o->space, o->room, sizeof *o->place);
}

/* Each once, in an order that all ranks of a shape share. */
static void find_places(struct way_order *o)
{
    struct sca_workspace scratch = {.out_of_memory = o->space->out_of_memory};
    uint32_t *sorted = sca_workspace_alloc(&scratch, o->n, sizeof *sorted);
    for (uint32_t i = 0; i < o->n; i++)
        sorted[i] = i;
    if (o->n)
        qsort_r(sorted, o->n, sizeof *sorted, by_way, o->ways);
    o->nplaces = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        bool other = !i || !is_same(&o->ways[sorted[i - 1]], &o->ways[sorted[i]]);
        o->nplaces += other;
        o->place[sorted[i]] = o->nplaces - 1;
    }
    if (o->n)
        memcpy(o->known, o->ways, o->n * sizeof *o->ways);
    o->nknown = o->n;
    sca_workspace_free(&scratch);
}

static void look_at(struct way_order *o, const struct sca_ppg_run *run, const struct sca_rank *rank)
{
    make_room(o, rank->nintervals);
    o->n = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].count)
            o->ways[o->n++] = (struct way){vertex_of(run, rank->intervals[i].previous),
                                           vertex_of(run, rank->intervals[i].site)};
    if (o->n != o->nknown || !o->n || memcmp(o->ways, o->known, o->n * sizeof *o->ways))
        find_places(o);
}

static void add_seconds(const struct way_order *o, const struct sca_rank *rank, uint32_t nways,
                        double *sums, float *out)
{
    for (uint32_t way = 0; way < nways; way++)
        sums[way] = 0;
    for (uint32_t i = 0, k = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        if (!v->count)
            continue;
        uint32_t way = o->place[k++];
        if (way < nways)
            sums[way] += 1e-9 * (double)(v->cpu_ns + v->blocked_ns);
    }
    for (uint32_t way = 0; way < nways; way++)
        out[way] = (float)sums[way];
}

void sca_rank_times_load(struct sca_workspace *space, const struct sca_task_source *source,
                         const struct sca_rank_shapes *shapes, uint32_t shape,
                         struct sca_rank_times *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct way_order order = {.space = &scratch};
    double *sums = NULL;
    *out = (struct sca_rank_times){.n = shapes->members[shape], .ranks = shapes->ranks[shape]};
    for (uint32_t i = 0; i < out->n; i++) {
        const struct sca_rank *rank =
            sca_rank_open(source->opened, out->ranks[i], SCA_OPEN_INTERVALS);
        look_at(&order, source->run, rank);
        if (!i) {
            out->nways = order.nplaces;
            out->seconds =
                sca_workspace_alloc(space, (size_t)out->n * out->nways, sizeof *out->seconds);
            sums = sca_workspace_alloc(&scratch, out->nways, sizeof *sums);
        }
        add_seconds(&order, rank, out->nways, sums, &out->seconds[(size_t)i * out->nways]);
    }
    sca_workspace_free(&scratch);
}
