#include "report/contention.h"
#include "report/report_memory.h"
#include "threads/lock_waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_ends(const void *a, const void *b)
{
    const struct sca_report_hand_over *x = a, *y = b;
    const uint32_t left[] = {x->rank, x->from_thread, x->to_thread, x->from, x->to, x->lock};
    const uint32_t right[] = {y->rank, y->from_thread, y->to_thread, y->from, y->to, y->lock};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static int by_seconds(const void *a, const void *b)
{
    const struct sca_report_hand_over *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return by_ends(a, b);
}

/* Those of the same lock, threads and vertices are one. */
static uint32_t join_alike(struct sca_report_hand_over *all, uint32_t n)
{
    uint32_t kept = 0;
    if (n)
        qsort(all, n, sizeof *all, by_ends);
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || by_ends(&all[kept - 1], &all[i])) {
            all[kept++] = all[i];
            continue;
        }
        all[kept - 1].count += all[i].count;
        all[kept - 1].seconds += all[i].seconds;
    }
    if (kept)
        qsort(all, kept, sizeof *all, by_seconds);
    return kept;
}

/* ---- locks ---- */

static int longest_first(const void *a, const void *b)
{
    const struct sca_report_lock *x = a, *y = b;
    if (x->wait_s != y->wait_s)
        return x->wait_s < y->wait_s ? 1 : -1;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->file, y->file);
}

/* Ranks' locks of one origin are one. */
static struct sca_report_lock *lock_of(struct sca_report_contention *to,
                                       const struct sca_ppg_object *object)
{
    uint32_t i = 0;
    while (i < to->nlocks &&
           (strcmp(to->locks[i].name, object->name) || strcmp(to->locks[i].file, object->file)))
        i++;
    if (i == to->nlocks)
        to->locks[to->nlocks++] =
            (struct sca_report_lock){object->name, object->file, object->line, 0};
    return &to->locks[i];
}

static void list_locks(struct sca_analysis *c, const struct sca_lock_waits *locks)
{
    struct sca_report_contention *to = &c->report->contention;
    uint32_t most = c->ppg->runs[c->last].nobjects;
    to->locks = sca_report_memory_take(c, most + 1ul, sizeof *to->locks);
    for (uint32_t i = 0; i < locks->waits.n; i++) {
        const struct sca_lock_use *use = &locks->waits.of[i];
        const struct sca_ppg_object *object = sca_lock_waits_object(locks, use->rank, use->number);
        if (object)
            lock_of(to, object)->wait_s += use->seconds;
    }
    if (to->nlocks)
        qsort(to->locks, to->nlocks, sizeof *to->locks, longest_first);
}

static uint32_t number_of(const struct sca_report_contention *c,
                          const struct sca_ppg_object *object)
{
    for (uint32_t i = 0; object && i < c->nlocks; i++)
        if (!strcmp(c->locks[i].name, object->name) && !strcmp(c->locks[i].file, object->file))
            return i + 1;
    return 0;
}

/* ---- all of it ---- */

static struct sca_report_hand_over told(const struct sca_report_contention *c,
                                        const struct sca_lock_waits *locks,
                                        const struct sca_hand_over *h)
{
    return (struct sca_report_hand_over){
        h->rank,      h->from_thread,
        h->to_thread, h->from,
        h->to,        h->count,
        h->seconds,   number_of(c, sca_lock_waits_object(locks, h->rank, h->number))};
}

void sca_contention_fill(struct sca_analysis *c)
{
    struct sca_report_contention *to = &c->report->contention;
    struct sca_lock_waits locks;
    double known = 0;
    sca_lock_waits_read(c->space, &c->ppg->runs[c->last], &locks);
    for (uint32_t i = 0; i < locks.waits.n; i++)
        to->wait_s += locks.waits.of[i].seconds;
    list_locks(c, &locks);
    struct sca_report_hand_over *all =
        sca_workspace_alloc(c->space, locks.hand_overs.n, sizeof *all);
    for (uint32_t i = 0; i < locks.hand_overs.n; i++) {
        all[i] = told(to, &locks, &locks.hand_overs.of[i]);
        known += all[i].seconds;
    }
    uint32_t n = join_alike(all, locks.hand_overs.n);
    to->wait_s = fmax(to->wait_s, known);
    to->unknown_s = to->wait_s - known;
    to->nhand_overs = n < SCA_MOST_HAND_OVERS_TOLD ? n : SCA_MOST_HAND_OVERS_TOLD;
    to->left_out = n - to->nhand_overs;
    to->hand_overs = sca_report_memory_take(c, to->nhand_overs + 1ul, sizeof *to->hand_overs);
    for (uint32_t i = 0; i < to->nhand_overs; i++)
        to->hand_overs[i] = all[i];
}
