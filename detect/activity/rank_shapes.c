#include "activity/rank_shapes.h"
#include "activity/peer_kinds.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

enum { RECENT = 4 }; /* graphs that ranks had lately: most ranks have one of few */

/* Ranks of a leaf; kinds of peers that are counted at first. */
enum { LEAF = 4096, FEW_KINDS = 256 };

struct item { /* of a graph */
    uint32_t what, a, b;
};

struct rank_calls { /* of the rank at hand, by call_of() */
    uint64_t (*seen)[SCA_PEER_WAYS];
    uint64_t *touched; /* a bit for each call that has some */
    size_t n, nwords;
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
    struct rank_calls calls;
    uint8_t *way; /* [call]: enum sca_peer_way */
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

static uint64_t seen_as(int way, uint32_t rank, int32_t peer, uint32_t nranks)
{
    if (peer < 0) /* not known, or of another world */
        return peer == -1 ? UINT64_MAX : UINT64_MAX - 1;
    if (way == SCA_BY_NUMBER)
        return (uint32_t)peer;
    if (way == SCA_BY_BITS)
        return (uint32_t)peer ^ rank;
    return ((uint32_t)peer + nranks - rank) % nranks;
}

static size_t call_of(const struct shaping *s, const struct sca_part_peer *p)
{
    uint32_t vertex = vertex_of(s, p->site);
    vertex = vertex == SCA_NONE ? s->source->ppg->nvertices : vertex;
    return 2 * (size_t)vertex + (p->direction != 0);
}

/* Sums of hashes do not depend on the order; the same peer on two call paths counts twice. */
static void add_peer(struct shaping *s, uint32_t rank, const struct sca_part_peer *p)
{
    size_t call = call_of(s, p);
    uint64_t bit = (uint64_t)1 << call % 64, *word = &s->calls.touched[call / 64];
    uint64_t *seen = s->calls.seen[call];
    if (!(*word & bit))
        memset(seen, 0, sizeof s->calls.seen[call]);
    *word |= bit;
    for (int way = 0; way < SCA_PEER_WAYS; way++)
        seen[way] += mix((uint64_t)way, seen_as(way, rank, p->peer, s->source->run->nranks));
}

static void gather_calls(struct shaping *s, uint32_t r, const struct sca_rank *rank)
{
    memset(s->calls.touched, 0, s->calls.nwords * sizeof *s->calls.touched);
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].count)
            add_peer(s, r, &rank->peers[i]);
}

/* The first call of the rank from `call` on; calls.n: there is none. */
static size_t next_call(const struct rank_calls *c, size_t call)
{
    for (size_t at = call / 64; at < c->nwords; at++, call = 64 * at) {
        uint64_t rest = c->touched[at] >> call % 64;
        if (rest)
            return call + (size_t)__builtin_ctzll(rest);
    }
    return c->n;
}

static void begin_calls(struct shaping *s)
{
    struct rank_calls *c = &s->calls;
    c->n = 2 * (s->source->ppg->nvertices + (size_t)1);
    c->nwords = (c->n + 63) / 64;
    c->seen = sca_workspace_alloc(s->space, c->n, sizeof *c->seen);
    c->touched = sca_workspace_alloc(s->space, c->nwords, sizeof *c->touched);
    s->way = sca_workspace_alloc(s->space, c->n, sizeof *s->way);
}

/* ---- which way ---- */

/* Of the calls whose way is not known yet. */
static void count_kinds(struct shaping *s, uint32_t r, const struct sca_rank *rank,
                        struct sca_peer_kinds *kinds)
{
    gather_calls(s, r, rank);
    for (size_t call = next_call(&s->calls, 0); call < s->calls.n;
         call = next_call(&s->calls, call + 1))
        if (s->way[call] == SCA_PEER_WAYS)
            sca_peer_kinds_add(kinds, call, s->calls.seen[call]);
}

static const struct sca_rank *open_rank(const struct shaping *s, uint32_t r, unsigned tables)
{
    return sca_rank_open(s->source->opened, r, tables);
}

static void look_at_leaf(struct shaping *s, uint32_t first, uint32_t end, struct sca_peer_kinds *to)
{
    struct sca_workspace scratch = {.out_of_memory = s->space->out_of_memory};
    struct sca_peer_kinds leaf;
    sca_peer_kinds_begin(&scratch, to->ncalls, to->most, &leaf);
    for (uint32_t r = first; r < end; r++) {
        const struct sca_rank *rank = open_rank(s, r, SCA_OPEN_PEERS);
        if (rank->present)
            count_kinds(s, r, rank, &leaf);
    }
    sca_peer_kinds_unite(to, &leaf);
    sca_workspace_free(&scratch);
}

/* Returns how many calls have too many kinds each way. */
static size_t choose_ways(struct shaping *s, uint32_t most)
{
    uint32_t nranks = s->source->run->nranks;
    struct sca_workspace scratch = {.out_of_memory = s->space->out_of_memory};
    struct sca_peer_kinds all;
    size_t open = 0;
    sca_peer_kinds_begin(&scratch, s->calls.n, most, &all);
    for (uint32_t first = 0; first < nranks; first += LEAF)
        look_at_leaf(s, first, nranks - first < LEAF ? nranks : first + LEAF, &all);
    for (size_t call = 0; call < s->calls.n; call++)
        if (s->way[call] == SCA_PEER_WAYS) {
            s->way[call] = (uint8_t)sca_peer_kinds_way(&all, call);
            open += s->way[call] == SCA_PEER_WAYS;
        }
    sca_workspace_free(&scratch);
    return open;
}

/* ---- ranks ---- */

/* By rising calls on every rank: the order is one. */
static void add_traffic(struct shaping *s, uint32_t r, const struct sca_rank *rank)
{
    gather_calls(s, r, rank);
    for (size_t call = next_call(&s->calls, 0); call < s->calls.n;
         call = next_call(&s->calls, call + 1)) {
        bool known = call / 2 < s->source->ppg->nvertices;
        uint64_t name = mix(known ? call / 2 : SCA_NONE, call % 2 + 2);
        s->base[r] = mix(s->base[r] ^ name, s->calls.seen[call][s->way[call]]);
    }
}

static void look_at_ranks(struct shaping *s, struct sca_rank_shapes *out)
{
    begin_calls(s);
    memset(s->way, SCA_PEER_WAYS, s->calls.n);
    if (choose_ways(s, FEW_KINDS))
        choose_ways(s, UINT32_MAX);
    for (uint32_t r = 0; r < s->source->run->nranks; r++) {
        const struct sca_rank *rank =
            open_rank(s, r, SCA_OPEN_SITES | SCA_OPEN_INTERVALS | SCA_OPEN_PEERS);
        out->of[r] = rank->present ? 0 : SCA_NONE;
        if (!rank->present)
            continue;
        s->base[r] = hash_graph(s, rank);
        add_traffic(s, r, rank);
    }
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
    number(&s, out);
    list_ranks(space, nranks, out);
    sca_workspace_free(&scratch);
}
