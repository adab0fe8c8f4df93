#include "waits/locks.h"

#include <stdlib.h>

/* Activities of one rank. */
struct threads {
    const struct scalana_activity *of;
    uint32_t first, n;
};

static struct threads threads_of(const struct sca_look *look, uint32_t first)
{
    const struct scalana_activity *all = look->activities;
    struct threads t = {.of = all, .first = first};
    while (first + t.n < look->run.nactivities && all[first + t.n].location == all[first].location)
        t.n++;
    return t;
}

/* Messages of its own rank and nothing else. */
static bool waits_for_itself(const struct scalana_activity *a)
{
    if (a->doing != SCALANA_IN_MPI_CALL || a->polls || !a->nknown || a->nknown != a->nawaited)
        return false;
    for (uint32_t i = 0; i < a->nknown; i++)
        if (a->awaited[i].kind > SCALANA_AWAITS_RECEIVER || a->awaited[i].location != a->location)
            return false;
    return true;
}

static bool stands(const struct scalana_activity *a)
{
    return a->doing == SCALANA_WAITS_FOR_LOCK || waits_for_itself(a);
}

/* The thread that has what this one waits for, and waits itself since before that was known. */
static uint32_t holder_of(const struct threads *t, uint32_t i)
{
    const struct scalana_activity *a = &t->of[i];
    for (uint32_t k = t->first; k < t->first + t->n; k++)
        if (t->of[k].thread == a->holder && stands(&t->of[k]) && t->of[k].since_s > a->asked_s)
            return k;
    return SCALANA_NONE;
}

/* From whoever stands in MPI for its own rank on: to a thread of it that waits for a lock. */
static uint32_t next_of(const struct threads *t, uint32_t i, uint32_t from)
{
    return t->of[i].doing == SCALANA_WAITS_FOR_LOCK ? holder_of(t, i) : from;
}

static bool find_from(const struct threads *t, uint32_t from, struct sca_lock_cycle *out)
{
    uint32_t at = from;
    *out = (struct sca_lock_cycle){.rank = t->of[from].location};
    do {
        out->activity[out->n++] = at;
        at = next_of(t, at, from);
    } while (at != SCALANA_NONE && at != from && out->n < SCA_LOCK_CYCLE);
    return at == from;
}

static bool find_in(const struct threads *t, struct sca_lock_cycle *out)
{
    for (uint32_t i = t->first; i < t->first + t->n; i++)
        if (t->of[i].doing == SCALANA_WAITS_FOR_LOCK && find_from(t, i, out))
            return true;
    return false;
}

int sca_locks_find(const struct sca_look *look, struct sca_lock_cycles *out)
{
    *out = (struct sca_lock_cycles){.list = calloc(look->nranks + 1ul, sizeof *out->list)};
    if (!out->list)
        return SCALANA_ENOMEM;
    for (uint32_t i = 0; i < look->run.nactivities;) {
        struct threads t = threads_of(look, i);
        out->n += find_in(&t, &out->list[out->n]);
        i += t.n;
    }
    return SCALANA_OK;
}

void sca_locks_free(struct sca_lock_cycles *cycles)
{
    free(cycles->list);
    *cycles = (struct sca_lock_cycles){0};
}

bool sca_locks_has(const struct sca_lock_cycles *cycles, uint32_t rank)
{
    for (uint32_t i = 0; i < cycles->n; i++)
        if (cycles->list[i].rank == rank)
            return true;
    return false;
}

const struct scalana_activity *sca_locks_wait_of(const struct sca_look *look, uint32_t rank)
{
    for (uint32_t i = 0; i < look->run.nactivities; i++)
        if (look->activities[i].location == rank &&
            look->activities[i].doing == SCALANA_WAITS_FOR_LOCK)
            return &look->activities[i];
    return NULL;
}
