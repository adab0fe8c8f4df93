#include "activity/rank_shapes.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

/* Ways to see a peer; of equally few kinds the first counts. */
enum { BY_DISTANCE, BY_BITS, BY_NUMBER, WAYS };

enum { RECENT = 4 }; /* graphs that ranks had lately: most ranks have one of few */

struct item { /* of a graph */
    uint32_t what, a, b;
};

struct call_peers { /* a call's peers in one direction, on one rank */
    uint32_t rank, vertex, direction;
    uint64_t seen[WAYS];
};

struct recent_graph { /* as its items came */
    struct item *items;
    uint32_t n, room;
    uint64_t hash;
};

struct shaping {
    struct sca_workspace *space;
    const struct sca_task_source *source;
    uint64_t *base; /* [rank]: calls and ways */
    struct item *items;
    uint32_t n, room; /* of items */
    struct recent_graph recent[RECENT];
    uint32_t oldest; /* of these */
    struct call_peers *traffic;
    size_t ntraffic, traffic_room;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* ---- calls and ways ---- */

static uint32_t vertex_of(const struct shaping *s, uint32_t site)
{
    const struct sca_ppg_run *run = s->source->run;
    return site && site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
}

static void add_item(struct shaping *s, uint32_t what, uint32_t a, uint32_t b)
{
    if (s->n == s->room) {
        uint32_t room = s->room ? 2 * s->room : 256;
        s->items = sca_workspace_grow(s->space, s->items, s->n, room, sizeof *s->items);
        s->room = room;
    }
    s->items[s->n++] = (struct item){what, a, b};
}

static int by_item(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    SCA_ORDER(x->what, y->what);
    SCA_ORDER(x->a, y->a);
    SCA_ORDER(x->b, y->b);
    return 0;
}

static uint64_t hash_items(struct shaping *s)
{
    uint64_t hash = 0;
    if (s->n)
        qsort(s->items, s->n, sizeof *s->items, by_item);
    for (uint32_t i = 0; i < s->n; i++)
        if (!i || by_item(&s->items[i - 1], &s->items[i]))
            hash = mix(hash, ((uint64_t)s->items[i].a << 32 | s->items[i].b) + s->items[i].what);
    return hash;
}

/* Puts the items in order, unless a rank had the same just before. */
static uint64_t hash_known(struct shaping *s)
{
    for (uint32_t i = 0; i < RECENT; i++) {
        const struct recent_graph *g = &s->recent[i];
        if (g->items && s->n && g->n == s->n &&
            !memcmp(g->items, s->items, s->n * sizeof *s->items))
            return g->hash;
    }
    struct recent_graph *g = &s->recent[s->oldest++ % RECENT];
    if (!g->items || g->room < s->n) {
        g->room = s->room;
        g->items = sca_workspace_alloc(s->space, g->room, sizeof *g->items);
    }
    g->n = s->n;
    if (s->n)
        memcpy(g->items, s->items, s->n * sizeof *s->items);
    return g->hash = hash_items(s);
}

static uint64_t hash_graph(struct shaping *s, const struct sca_rank *rank)
{
    s->n = 0;
    for (uint32_t i = 0; i < rank->nsites; i++)
        if (rank->sites[i].count)
            add_item(s, 0, vertex_of(s, rank->sites[i].site), 0);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].count)
            add_item(s, 1, vertex_of(s, rank->intervals[i].previous),
                     vertex_of(s, rank->intervals[i].site));
    return hash_known(s);
}

/* ---- peers ---- */

static uint64_t seen_as(uint32_t way, uint32_t rank, int32_t peer, uint32_t nranks)
{
    if (peer < 0) /* not known, or of another world */
        return peer == -1 ? UINT64_MAX : UINT64_MAX - 1;
    if (way == BY_NUMBER)
        return (uint32_t)peer;
    if (way == BY_BITS)
        return (uint32_t)peer ^ rank;
    return ((uint32_t)peer + nranks - rank) % nranks;
}

/* Sums of hashes do not depend on the order; the same peer on two call paths counts twice. */
static void add_peer(struct shaping *s, size_t first, uint32_t rank, const struct sca_part_peer *p)
{
    uint32_t vertex = vertex_of(s, p->site);
    size_t at = first;
    while (at < s->ntraffic &&
           (s->traffic[at].vertex != vertex || s->traffic[at].direction != p->direction))
        at++;
    if (at == s->ntraffic) {
        if (s->ntraffic == s->traffic_room) {
            size_t room = s->traffic_room ? 2 * s->traffic_room : 1024;
            s->traffic =
                sca_workspace_grow(s->space, s->traffic, s->ntraffic, room, sizeof *s->traffic);
            s->traffic_room = room;
        }
        s->traffic[s->ntraffic++] = (struct call_peers){rank, vertex, p->direction, {0}};
    }
    for (uint32_t way = 0; way < WAYS; way++)
        s->traffic[at].seen[way] += mix(way, seen_as(way, rank, p->peer, s->source->run->nranks));
}

static void look_at_ranks(struct shaping *s, struct sca_rank_shapes *out)
{
    for (uint32_t r = 0; r < s->source->run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(
            s->source->opened, r, SCA_OPEN_SITES | SCA_OPEN_INTERVALS | SCA_OPEN_PEERS);
        size_t first = s->ntraffic;
        out->of[r] = rank->present ? 0 : SCA_NONE;
        if (!rank->present)
            continue;
        s->base[r] = hash_graph(s, rank);
        for (uint32_t i = 0; i < rank->npeers; i++)
            if (rank->peers[i].count)
                add_peer(s, first, r, &rank->peers[i]);
    }
}

/* ---- which way ---- */

static size_t call_of(const struct call_peers *p, uint32_t nvertices)
{
    uint32_t vertex = p->vertex == SCA_NONE ? nvertices : p->vertex;
    return 2 * (size_t)vertex + (p->direction != 0);
}

/* By call; of each call by rank, as they came. Returns where each call begins, and behind the last
 * one the end. */
static size_t *put_in_order(struct shaping *s, size_t *ncalls)
{
    uint32_t nvertices = s->source->ppg->nvertices;
    *ncalls = 2 * (nvertices + (size_t)1);
    size_t *begin = sca_workspace_alloc(s->space, *ncalls + 1, sizeof *begin);
    size_t *next = sca_workspace_alloc(s->space, *ncalls, sizeof *next);
    struct call_peers *sorted = sca_workspace_alloc(s->space, s->ntraffic, sizeof *sorted);
    for (size_t i = 0; i < s->ntraffic; i++)
        begin[call_of(&s->traffic[i], nvertices) + 1]++;
    for (size_t k = 0; k < *ncalls; k++) {
        begin[k + 1] += begin[k];
        next[k] = begin[k];
    }
    for (size_t i = 0; i < s->ntraffic; i++)
        sorted[next[call_of(&s->traffic[i], nvertices)]++] = s->traffic[i];
    s->traffic = sorted;
    return begin;
}

struct kinds_seen { /* numbers that were seen; 0 stands for none */
    uint64_t *of;
    size_t room; /* a power of 2, more than there can be */
};

/* How many different ones, or more than `most`. */
static size_t kinds_of(const struct kinds_seen *kinds, const struct call_peers *of, size_t n,
                       uint32_t way, size_t most)
{
    size_t found = 0;
    bool none = false;
    memset(kinds->of, 0, kinds->room * sizeof *kinds->of);
    for (size_t i = 0; i < n && found <= most; i++) {
        uint64_t seen = of[i].seen[way];
        size_t at = seen & (kinds->room - 1);
        if (!seen) {
            found += !none;
            none = true;
            continue;
        }
        while (kinds->of[at] && kinds->of[at] != seen)
            at = (at + 1) & (kinds->room - 1);
        found += !kinds->of[at];
        kinds->of[at] = seen;
    }
    return found;
}

static void add_traffic(struct shaping *s, const struct call_peers *of, size_t n,
                        const struct kinds_seen *scratch)
{
    uint32_t best = BY_DISTANCE;
    size_t least = SIZE_MAX;
    for (uint32_t way = 0; way < WAYS; way++) {
        size_t kinds = kinds_of(scratch, of, n, way, least);
        if (kinds < least) {
            least = kinds;
            best = way;
        }
    }
    uint64_t call = mix(of->vertex, of->direction + 2);
    for (size_t i = 0; i < n; i++) /* by rising calls on every rank: the order is one */
        s->base[of[i].rank] = mix(s->base[of[i].rank] ^ call, of[i].seen[best]);
}

static void add_all_traffic(struct shaping *s)
{
    struct kinds_seen kinds = {.room = 2};
    size_t ncalls, *begin = put_in_order(s, &ncalls);
    while (kinds.room <= s->source->run->nranks)
        kinds.room *= 2;
    kinds.room *= 2; /* half of it stays free */
    kinds.of = sca_workspace_alloc(s->space, kinds.room, sizeof *kinds.of);
    for (size_t k = 0; k < ncalls; k++)
        if (begin[k + 1] > begin[k])
            add_traffic(s, &s->traffic[begin[k]], begin[k + 1] - begin[k], &kinds);
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
    *out = (struct sca_rank_shapes){.of = sca_workspace_alloc(space, nranks, sizeof *out->of),
                                    .members = sca_workspace_alloc(space, nranks, sizeof(uint32_t)),
                                    .first = sca_workspace_alloc(space, nranks, sizeof(uint32_t))};
    s.base = sca_workspace_alloc(&scratch, nranks, sizeof *s.base);
    look_at_ranks(&s, out);
    add_all_traffic(&s);
    number(&s, out);
    list_ranks(space, nranks, out);
    sca_workspace_free(&scratch);
}
