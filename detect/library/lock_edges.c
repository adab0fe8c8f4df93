#include "library/lock_edges.h"
#include "base/degrees.h"
#include "sca_error.h"
#include "threads/lock_waits.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct lock_pair { /* of a rank's lock: had at one context, waited for at another */
    uint32_t rank, from, to;
    uint32_t from_thread, to_thread; /* SCALANA_NONE: not known */
    const char *name;                /* the lock's; "": not known */
    double seconds;
};

struct lock_pairs {
    struct sca_workspace *space;
    uint32_t n, capacity;
    struct lock_pair *of;
};

static void add_pair(struct lock_pairs *all, struct lock_pair pair)
{
    if (all->n == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->of = sca_workspace_grow(all->space, all->of, all->n, all->capacity, sizeof *all->of);
    }
    all->of[all->n++] = pair;
}

static bool is_same_lock(const struct sca_lock_use *a, const struct sca_lock_use *b)
{
    return a->rank == b->rank && a->number == b->number;
}

static double waited_at(const struct sca_lock_uses *waits, uint32_t rank, uint32_t vertex)
{
    double seconds = 0;
    for (uint32_t i = 0; i < waits->n; i++)
        seconds +=
            waits->of[i].rank == rank && waits->of[i].vertex == vertex ? waits->of[i].seconds : 0;
    return seconds;
}

/* The part of a rank's waits at a context of which no threads are known. */
static double unknown_part(const struct sca_lock_waits *locks, const struct sca_lock_use *wait)
{
    const struct sca_hand_overs *known = &locks->hand_overs;
    double all = waited_at(&locks->waits, wait->rank, wait->vertex), told = 0;
    for (uint32_t i = 0; i < known->n; i++)
        told += known->of[i].rank == wait->rank && known->of[i].to == wait->vertex
                    ? known->of[i].seconds
                    : 0;
    return all - told > SCA_NO_TIME ? 1 - told / all : 0;
}

static const char *name_of(const struct sca_lock_waits *locks, uint32_t rank, uint16_t number)
{
    const struct sca_ppg_object *object = sca_lock_waits_object(locks, rank, number);
    return object ? object->name : "";
}

static void pair_hand_over(const struct sca_lock_waits *locks, const struct sca_hand_over *h,
                           struct lock_pairs *out)
{
    add_pair(out, (struct lock_pair){h->rank, h->from, h->to, h->from_thread, h->to_thread,
                                     name_of(locks, h->rank, h->number), h->seconds});
}

/* A lock may be had from several contexts: each has its part of a wait. */
static void pair_wait(const struct sca_lock_waits *locks, const struct sca_lock_use *wait,
                      struct lock_pairs *out)
{
    const struct sca_lock_uses *holders = &locks->holders;
    double all = 0, seconds = wait->seconds * unknown_part(locks, wait);
    for (uint32_t i = 0; i < holders->n && seconds > 0; i++)
        all += is_same_lock(&holders->of[i], wait) ? holders->of[i].seconds : 0;
    for (uint32_t i = 0; i < holders->n && all > 0; i++)
        if (is_same_lock(&holders->of[i], wait) && holders->of[i].seconds > 0)
            add_pair(out, (struct lock_pair){wait->rank, holders->of[i].vertex, wait->vertex,
                                             SCALANA_NONE, SCALANA_NONE,
                                             name_of(locks, wait->rank, wait->number),
                                             seconds * holders->of[i].seconds / all});
}

static int by_place(const void *a, const void *b)
{
    const struct lock_pair *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from_thread != y->from_thread)
        return x->from_thread < y->from_thread ? -1 : 1;
    if (x->to_thread != y->to_thread)
        return x->to_thread < y->to_thread ? -1 : 1;
    return strcmp(x->name, y->name);
}

static struct scalana_edge edge_of(const struct lock_pair *pair)
{
    return (struct scalana_edge){.kind = SCALANA_EDGE_LOCK,
                                 .from_context = pair->from,
                                 .from_location = pair->rank,
                                 .to_context = pair->to,
                                 .to_location = pair->rank,
                                 .seconds = pair->seconds,
                                 .late_s = (double)NAN,
                                 .group = SCALANA_NONE,
                                 .from_thread = pair->from_thread,
                                 .to_thread = pair->to_thread,
                                 .lock = pair->name};
}

/* Those of one lock, place and thread and another are one edge. */
static int keep(struct lock_pairs *pairs, struct sca_lock_edges *out)
{
    out->of = calloc(pairs->n + 1ul, sizeof *out->of);
    if (!out->of)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (pairs->n)
        qsort(pairs->of, pairs->n, sizeof *pairs->of, by_place);
    for (uint32_t i = 0; i < pairs->n; i++) {
        if (i && !by_place(&pairs->of[i - 1], &pairs->of[i]))
            out->of[out->n - 1].seconds += pairs->of[i].seconds;
        else
            out->of[out->n++] = edge_of(&pairs->of[i]);
    }
    return SCA_OK;
}

int sca_lock_edges_find(const struct sca_ppg_run *run, uint32_t first, uint32_t last,
                        struct sca_lock_edges *out)
{
    jmp_buf out_of_memory;
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_lock_waits locks;
    *out = (struct sca_lock_edges){0};
    if (setjmp(out_of_memory)) {
        sca_workspace_free(&space);
        return sca_fail(SCA_ENOMEM, "out of memory");
    }
    struct lock_pairs pairs = {.space = &space};
    sca_lock_waits_read(&space, run, &locks);
    for (uint32_t i = 0; i < locks.waits.n; i++)
        if (locks.waits.of[i].rank >= first && locks.waits.of[i].rank < last)
            pair_wait(&locks, &locks.waits.of[i], &pairs);
    for (uint32_t i = 0; i < locks.hand_overs.n; i++)
        if (locks.hand_overs.of[i].rank >= first && locks.hand_overs.of[i].rank < last)
            pair_hand_over(&locks, &locks.hand_overs.of[i], &pairs);
    int status = keep(&pairs, out);
    sca_workspace_free(&space);
    return status;
}

bool sca_lock_edges_next(struct sca_lock_edges *edges, struct scalana_edge *out)
{
    if (edges->next == edges->n)
        return false;
    *out = edges->of[edges->next++];
    return true;
}
