#include "profile/worlds_link.h"
#include "profile/worlds.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds by which the two sides may see their meeting end apart: clocks of hosts, ranks that wait
 * for a core. */
#define APART 10.0

struct side { /* a communicator that joins worlds, as one of them knows it */
    uint32_t world, comm;
    uint64_t id;
    const char *kind;
    uint32_t size;
    struct sca_worlds_words words; /* of all its members together */
    uint32_t partner;              /* index; SCA_NONE */
};

struct sides {
    struct side *list;
    uint32_t n;
};

static void add_words(struct side *side, const char *text)
{
    struct sca_worlds_words words;
    if (!sca_worlds_read(text, &words))
        return;
    if (words.met || !side->words.met)
        side->words = words;
}

static int by_comm(const void *a, const void *b)
{
    uint32_t x = ((const struct side *)a)->comm, y = ((const struct side *)b)->comm;
    return (x > y) - (x < y);
}

static void add_rank(struct side *sides, uint32_t n, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->ncomms; i++) {
        const struct side key = {.comm = rank->comms[i]};
        struct side *side = bsearch(&key, sides, n, sizeof *sides, by_comm);
        if (side)
            add_words(side, rank->topologies[i]);
    }
}

static void add_world(struct sides *sides, const struct sca_profile *p, uint32_t world)
{
    struct side *first = sides->list + sides->n;
    uint32_t n = 0;
    for (uint32_t c = 0; c < p->ncomms; c++)
        if (p->comms[c].joins_worlds)
            first[n++] = (struct side){.world = world,
                                       .comm = c,
                                       .id = p->comms[c].id,
                                       .kind = p->comms[c].kind,
                                       .size = p->comms[c].size,
                                       .partner = SCA_NONE};
    for (uint32_t r = 0; n && r < p->nranks; r++)
        if (p->ranks[r].present)
            add_rank(first, n, &p->ranks[r]);
    sides->n += n;
}

static bool starts(const struct side *a, const struct side *b)
{
    return !strncmp(a->kind, "MPI_Comm_spawn", strlen("MPI_Comm_spawn")) &&
           !strcmp(b->kind, "MPI_Comm_get_parent");
}

/* How far apart in time they met; INFINITY: they are not the two sides of one. */
static double distance(const struct side *a, const struct side *b)
{
    const struct sca_worlds_words *x = &a->words, *y = &b->words;
    bool fit = a->world != b->world && x->met && y->met && x->inter && y->inter && !x->parent &&
               !y->parent && a->size == y->remote && b->size == x->remote;
    bool same = x->key && x->key == y->key;
    if (!fit || !(same || (!x->key && !y->key)))
        return INFINITY;
    if (starts(a, b) || starts(b, a)) {
        const struct sca_worlds_words *parent = starts(a, b) ? x : y, *child = starts(a, b) ? y : x;
        bool within =
            child->at > parent->at - parent->took - APART && child->at < parent->at + APART;
        return within ? fabs(child->at - parent->at) : INFINITY;
    }
    if (!strcmp(a->kind, b->kind) && strcmp(a->kind, "MPI_Comm_join"))
        return INFINITY; /* one accepts, the other connects */
    bool joined = !strcmp(a->kind, "MPI_Comm_join") && !strcmp(b->kind, "MPI_Comm_join");
    bool apart = fabs(x->at - y->at) > APART;
    return (same || joined) && !apart ? fabs(x->at - y->at) : INFINITY;
}

struct pair {
    uint32_t a, b;
    double apart;
};

static int by_distance(const void *a, const void *b)
{
    double x = ((const struct pair *)a)->apart, y = ((const struct pair *)b)->apart;
    return (x > y) - (x < y);
}

/* The nearest two first, each once. */
static void take_pairs(struct sides *sides, struct pair *pairs, uint32_t n)
{
    qsort(pairs, n, sizeof *pairs, by_distance);
    for (uint32_t i = 0; i < n; i++) {
        struct side *a = &sides->list[pairs[i].a], *b = &sides->list[pairs[i].b];
        if (a->partner != SCA_NONE || b->partner != SCA_NONE)
            continue;
        a->partner = pairs[i].b;
        b->partner = pairs[i].a;
    }
}

static int pair_all(struct sides *sides)
{
    struct pair *pairs = NULL;
    uint32_t n = 0, room = 0;
    for (uint32_t i = 0; i < sides->n; i++)
        for (uint32_t k = i + 1; k < sides->n; k++) {
            double apart = distance(&sides->list[i], &sides->list[k]);
            if (!isfinite(apart))
                continue;
            struct pair *more =
                n < room ? pairs : realloc(pairs, (room = 2 * room + 16) * sizeof *pairs);
            if (!more) {
                free(pairs);
                return sca_fail(SCA_ENOMEM, "out of memory");
            }
            pairs = more;
            pairs[n++] = (struct pair){i, k, apart};
        }
    if (n)
        take_pairs(sides, pairs, n);
    free(pairs);
    return SCA_OK;
}

static uint32_t find(const struct sides *sides, uint32_t world, uint64_t id)
{
    for (uint32_t i = 0; i < sides->n; i++)
        if (sides->list[i].world == world && sides->list[i].id == id)
            return i;
    return SCA_NONE;
}

/* A split of two worlds gives several children at once: which is which nobody knows. */
static bool is_only_child(const struct side *s)
{
    return !strcmp(s->kind, "MPI_Intercomm_merge") || !strcmp(s->kind, "MPI_Comm_dup") ||
           !strcmp(s->kind, "MPI_Comm_dup_with_info");
}

static bool are_siblings(const struct sides *sides, const struct side *a, const struct side *b)
{
    if (a->partner != SCA_NONE || b->partner != SCA_NONE || !a->words.parent || !b->words.parent ||
        a->words.order != b->words.order || strcmp(a->kind, b->kind) || !is_only_child(a))
        return false;
    uint32_t x = find(sides, a->world, a->words.parent), y = find(sides, b->world, b->words.parent);
    return x != SCA_NONE && y != SCA_NONE && sides->list[x].partner == y;
}

static bool pair_children(struct sides *sides)
{
    bool found = false;
    for (uint32_t i = 0; i < sides->n; i++)
        for (uint32_t k = i + 1; k < sides->n; k++)
            if (are_siblings(sides, &sides->list[i], &sides->list[k])) {
                sides->list[i].partner = k;
                sides->list[k].partner = i;
                found = true;
            }
    return found;
}

static uint32_t list_links(const struct sides *sides, struct sca_worlds_link *links)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sides->n; i++) {
        const struct side *a = &sides->list[i];
        if (a->partner == SCA_NONE || a->partner < i)
            continue;
        const struct side *b = &sides->list[a->partner];
        links[n++] = (struct sca_worlds_link){{a->world, b->world}, {a->comm, b->comm}};
    }
    return n;
}

int sca_worlds_link(const struct sca_profile *const *profiles, uint32_t n,
                    struct sca_worlds_link **links, uint32_t *nlinks)
{
    size_t most = 1;
    struct sides sides = {0};
    for (uint32_t w = 0; w < n; w++)
        most += profiles[w]->ncomms;
    *nlinks = 0;
    *links = calloc(most, sizeof **links);
    sides.list = calloc(most, sizeof *sides.list);
    if (!*links || !sides.list) {
        free(sides.list);
        return sca_fail(SCA_ENOMEM, "out of memory");
    }
    for (uint32_t w = 0; w < n; w++)
        add_world(&sides, profiles[w], w);
    int status = pair_all(&sides);
    while (status == SCA_OK && pair_children(&sides))
        ;
    *nlinks = list_links(&sides, *links);
    free(sides.list);
    return status;
}
