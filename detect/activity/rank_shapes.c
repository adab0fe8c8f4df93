#include "activity/rank_shapes.h"
#include "activity/mix.h"
#include "activity/peer_kinds.h"
#include "activity/rank_grid.h"
#include "activity/rank_summary.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_KINDS = 256 }; /* kinds of peers that are counted at first */

struct item { /* of a graph */
    uint32_t what, a, b;
};

struct order_of_calls { /* of those in a list of peers: rising */
    uint32_t n;
    struct called {
        uint32_t call, place; /* call_of(); in the list */
    } *of;
};

struct shaping {
    struct sca_workspace *space;
    const struct sca_task_source *source;
    const struct sca_rank_summary *summary;
    uint64_t *base;                /* [rank]: calls and ways */
    uint64_t *graph;               /* [graph of the summary] */
    struct order_of_calls *orders; /* [calls of the summary] */
    uint32_t *by_peers;            /* ranks, those with the same list of distances together */
    uint32_t *first;               /* [list of distances, and one more]: of these */
    struct sca_rank_grid grid;
    int nways; /* the last one, by steps in the grid, where a dimension of it goes round */
    uint32_t ncalls;
    uint8_t *way; /* [call]: enum sca_peer_way; SCA_PEER_WAYS: not known yet */
};

static uint32_t vertex_of(const struct shaping *s, uint32_t site)
{
    const struct sca_ppg_run *run = s->source->run;
    return site && site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
}

/* ---- calls and ways ---- */

static int by_item(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    SCA_ORDER(x->what, y->what);
    SCA_ORDER(x->a, y->a);
    SCA_ORDER(x->b, y->b);
    return 0;
}

static uint64_t hash_items(struct item *items, uint32_t n)
{
    uint64_t hash = 0;
    if (n)
        qsort(items, n, sizeof *items, by_item);
    for (uint32_t i = 0; i < n; i++)
        if (!i || by_item(&items[i - 1], &items[i]))
            hash = sca_mix(hash, ((uint64_t)items[i].a << 32 | items[i].b) + items[i].what);
    return hash;
}

static uint64_t hash_graph(const struct shaping *s, uint32_t graph)
{
    struct sca_workspace scratch = {.out_of_memory = s->space->out_of_memory};
    struct sca_graph_words of = sca_rank_summary_graph(s->summary, graph);
    struct item *items =
        sca_workspace_alloc(&scratch, (size_t)of.nsites + of.nintervals, sizeof *items);
    for (uint32_t i = 0; i < of.nsites; i++)
        items[i] = (struct item){0, vertex_of(s, of.sites[i]), 0};
    for (uint32_t i = 0; i < of.nintervals; i++)
        items[of.nsites + i] =
            (struct item){1, vertex_of(s, of.intervals[i][0]), vertex_of(s, of.intervals[i][1])};
    uint64_t hash = hash_items(items, of.nsites + of.nintervals);
    sca_workspace_free(&scratch);
    return hash;
}

static void hash_graphs(struct shaping *s)
{
    s->graph = sca_workspace_alloc(s->space, s->summary->graphs.n, sizeof *s->graph);
    for (uint32_t i = 0; i < s->summary->graphs.n; i++)
        s->graph[i] = hash_graph(s, i);
}

/* ---- peers ---- */

/* Two for each vertex, the last two for what has none. */
static uint32_t call_of(const struct shaping *s, uint32_t word)
{
    uint32_t vertex = vertex_of(s, word / 2), none = s->source->ppg->nvertices;
    return 2 * (vertex == SCA_NONE ? none : vertex) + word % 2;
}

static int by_call(const void *a, const void *b)
{
    const struct called *x = a, *y = b;
    SCA_ORDER(x->call, y->call);
    SCA_ORDER(x->place, y->place);
    return 0;
}

static void order_calls(struct shaping *s)
{
    const struct sca_word_lists *calls = &s->summary->calls;
    s->orders = sca_workspace_alloc(s->space, calls->n, sizeof *s->orders);
    for (uint32_t k = 0; k < calls->n; k++) {
        struct order_of_calls *o = &s->orders[k];
        o->n = calls->of[k].n;
        o->of = sca_workspace_alloc(s->space, o->n, sizeof *o->of);
        for (uint32_t i = 0; i < o->n; i++)
            o->of[i] = (struct called){call_of(s, calls->of[k].words[i]), i};
        if (o->n)
            qsort(o->of, o->n, sizeof *o->of, by_call);
    }
}

static void order_ranks(struct shaping *s)
{
    const struct sca_rank_summary *of = s->summary;
    uint32_t n = of->distances.n;
    s->by_peers = sca_workspace_alloc(s->space, of->nranks, sizeof *s->by_peers);
    s->first = sca_workspace_alloc(s->space, (size_t)n + 2, sizeof *s->first);
    for (uint32_t r = 0; r < of->nranks; r++)
        if (of->graph[r] != SCA_NONE)
            s->first[of->peers[r] + 2]++;
    for (uint32_t i = 2; i < n + 2; i++)
        s->first[i] += s->first[i - 1];
    for (uint32_t r = 0; r < of->nranks; r++)
        if (of->graph[r] != SCA_NONE)
            s->by_peers[s->first[of->peers[r] + 1]++] = r;
}

static const struct order_of_calls *calls_of(const struct shaping *s, uint32_t list)
{
    return &s->orders[s->summary->distances.of[list].words[0]];
}

static uint64_t seen_as(const struct shaping *s, int way, uint32_t rank, uint32_t distance)
{
    if (distance >= SCA_PEER_FOREIGN)
        return distance == SCA_PEER_UNKNOWN ? UINT64_MAX : UINT64_MAX - 1;
    uint32_t peer = (uint32_t)(((uint64_t)rank + distance) % s->summary->nranks);
    return way == SCA_BY_NUMBER  ? peer
           : way == SCA_BY_BITS  ? peer ^ rank
           : way == SCA_BY_STEPS ? sca_rank_grid_way(&s->grid, rank, peer)
                                 : distance;
}

/* Of the call at *at, behind which *at is then. Sums of hashes do not depend on the order; the same
 * peer on two call paths counts twice. */
static uint64_t hash_peers(const struct shaping *s, uint32_t list, uint32_t rank, int way,
                           uint32_t *at)
{
    const struct order_of_calls *o = calls_of(s, list);
    const uint32_t *distances = s->summary->distances.of[list].words + 1;
    uint32_t call = o->of[*at].call;
    uint64_t sum = 0;
    for (; *at < o->n && o->of[*at].call == call; ++*at)
        sum += sca_mix((uint64_t)way, seen_as(s, way, rank, distances[o->of[*at].place]));
    return sum;
}

static uint32_t behind(const struct order_of_calls *o, uint32_t at)
{
    uint32_t call = o->of[at].call;
    while (at < o->n && o->of[at].call == call)
        at++;
    return at;
}

/* ---- which way ---- */

/* Ranks with the same list are one kind. */
static void count_distances(const struct shaping *s, struct sca_peer_kinds *kinds)
{
    for (uint32_t list = 0; list < s->summary->distances.n; list++) {
        const struct order_of_calls *o = calls_of(s, list);
        for (uint32_t at = 0; at < o->n;) {
            uint32_t call = o->of[at].call;
            uint64_t hash = hash_peers(s, list, 0, SCA_BY_DISTANCE, &at);
            if (s->way[call] == SCA_PEER_WAYS)
                sca_peer_kinds_add(kinds, call, SCA_BY_DISTANCE, hash, kinds->most);
        }
    }
}

/* Returns whether another rank with that list may still change something. */
static bool count_rank(const struct shaping *s, uint32_t list, uint32_t rank,
                       struct sca_peer_kinds *kinds)
{
    const struct order_of_calls *o = calls_of(s, list);
    bool open = false;
    for (uint32_t at = 0, next; at < o->n; at = next) {
        uint32_t call = o->of[at].call, limit = 0;
        next = behind(o, at);
        if (s->way[call] == SCA_PEER_WAYS)
            limit = sca_peer_kinds_limit(kinds, call);
        open |= limit > 0;
        for (int way = SCA_BY_BITS; limit && way < kinds->nways; way++) {
            uint32_t from = at;
            sca_peer_kinds_add(kinds, call, way, hash_peers(s, list, rank, way, &from), limit);
        }
    }
    return open;
}

/* Returns how many calls have too many kinds each way. */
static uint32_t choose_ways(struct shaping *s, uint32_t most)
{
    struct sca_workspace scratch = {.out_of_memory = s->space->out_of_memory};
    struct sca_peer_kinds kinds;
    uint32_t open = 0;
    sca_peer_kinds_begin(&scratch, s->ncalls, s->nways, most, &kinds);
    count_distances(s, &kinds);
    for (uint32_t list = 0; list < s->summary->distances.n; list++)
        for (uint32_t i = s->first[list]; i < s->first[list + 1]; i++)
            if (!count_rank(s, list, s->by_peers[i], &kinds))
                break;
    for (uint32_t call = 0; call < s->ncalls; call++)
        if (s->way[call] == SCA_PEER_WAYS) {
            s->way[call] = (uint8_t)sca_peer_kinds_way(&kinds, call);
            open += s->way[call] == SCA_PEER_WAYS;
        }
    sca_workspace_free(&scratch);
    return open;
}

/* ---- ranks ---- */

/* By rising calls on every rank: the order is one. *alike: the same for all ranks with the list. */
static uint64_t hash_traffic(const struct shaping *s, uint32_t list, uint32_t rank, bool *alike)
{
    const struct order_of_calls *o = calls_of(s, list);
    uint64_t hash = 0;
    *alike = true;
    for (uint32_t at = 0; at < o->n;) {
        uint32_t call = o->of[at].call;
        uint8_t way = s->way[call];
        *alike &= way == SCA_BY_DISTANCE;
        hash = sca_mix(hash ^ sca_mix(call, 2), hash_peers(s, list, rank, way, &at));
    }
    return hash;
}

static void hash_ranks(struct shaping *s)
{
    for (uint32_t list = 0; list < s->summary->distances.n; list++) {
        uint64_t traffic = 0;
        bool alike = false;
        for (uint32_t i = s->first[list]; i < s->first[list + 1]; i++) {
            uint32_t r = s->by_peers[i];
            traffic = alike ? traffic : hash_traffic(s, list, r, &alike);
            s->base[r] = sca_mix(s->graph[s->summary->graph[r]], traffic);
        }
    }
}

/* In a grid that ends along all dimensions steps are distances. */
static void find_grid(struct shaping *s)
{
    struct sca_rank_peers peers;
    struct sca_task_source source = *s->source;
    source.summary = s->summary;
    sca_rank_peers_find(s->space, &source, &peers);
    bool is_grid = sca_rank_grid_find(&peers, s->summary->nranks, &s->grid);
    bool goes_round = is_grid && sca_rank_grid_open(&s->grid) < s->grid.n;
    s->nways = goes_round ? SCA_PEER_WAYS : SCA_BY_STEPS;
}

static void look_at_ranks(struct shaping *s, struct sca_rank_shapes *out)
{
    s->ncalls = 2 * (s->source->ppg->nvertices + 1);
    s->way = sca_workspace_alloc(s->space, s->ncalls, sizeof *s->way);
    memset(s->way, SCA_PEER_WAYS, s->ncalls);
    hash_graphs(s);
    order_calls(s);
    order_ranks(s);
    find_grid(s);
    if (choose_ways(s, FEW_KINDS))
        choose_ways(s, UINT32_MAX);
    hash_ranks(s);
    for (uint32_t r = 0; r < s->summary->nranks; r++)
        out->of[r] = s->summary->graph[r] == SCA_NONE ? SCA_NONE : 0;
}

/* ---- equal ones ---- */

static int by_base(const void *a, const void *b, void *base)
{
    const uint64_t *of = base;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    SCA_ORDER(of[x], of[y]);
    SCA_ORDER(x, y);
    return 0;
}

/* Shapes are numbered by their lowest rank. */
static void number(struct shaping *s, struct sca_rank_shapes *out)
{
    uint32_t nranks = s->source->run->nranks, n = 0;
    uint32_t *order = sca_workspace_alloc(s->space, nranks, sizeof *order);
    uint32_t *lowest = sca_workspace_alloc(s->space, nranks, sizeof *lowest);
    for (uint32_t r = 0; r < nranks; r++)
        if (out->of[r] != SCA_NONE)
            order[n++] = r;
    if (n)
        qsort_r(order, n, sizeof *order, by_base, s->base);
    for (uint32_t i = 0, low = 0; i < n; i++) {
        low = i && s->base[order[i]] == s->base[order[i - 1]] ? low : order[i];
        lowest[order[i]] = low;
    }
    for (uint32_t r = 0; r < nranks; r++) {
        if (out->of[r] == SCA_NONE)
            continue;
        if (lowest[r] == r)
            out->first[out->n] = r;
        out->of[r] = lowest[r] == r ? out->n++ : out->of[lowest[r]];
        out->members[out->of[r]]++;
    }
}

static void list_ranks(struct sca_workspace *space, uint32_t nranks, struct sca_rank_shapes *out)
{
    uint32_t *all = sca_workspace_alloc(space, nranks, sizeof *all);
    uint32_t *n = sca_workspace_alloc(space, out->n, sizeof *n);
    out->ranks = sca_workspace_alloc(space, out->n, sizeof *out->ranks);
    for (uint32_t shape = 0; shape < out->n; all += out->members[shape++])
        out->ranks[shape] = all;
    for (uint32_t r = 0; r < nranks; r++)
        if (out->of[r] != SCA_NONE)
            out->ranks[out->of[r]][n[out->of[r]]++] = r;
}

void sca_rank_shapes_find(struct sca_workspace *space, const struct sca_task_source *source,
                          struct sca_rank_shapes *out)
{
    uint32_t nranks = source->run->nranks;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct shaping s = {.space = &scratch, .source = source};
    s.summary = sca_rank_summary_of(&scratch, source);
    *out = (struct sca_rank_shapes){.of = sca_workspace_alloc(space, nranks, sizeof *out->of),
                                    .members = sca_workspace_alloc(space, nranks, sizeof(uint32_t)),
                                    .first = sca_workspace_alloc(space, nranks, sizeof(uint32_t))};
    s.base = sca_workspace_alloc(&scratch, nranks, sizeof *s.base);
    look_at_ranks(&s, out);
    number(&s, out);
    list_ranks(space, nranks, out);
    sca_workspace_free(&scratch);
}
