#include "report/contention.h"
#include "report/report_memory.h"
#include "threads/lock_waits.h"

#include <math.h>
#include <stdlib.h>

static int by_ends(const void *a, const void *b)
{
    const struct sca_report_hand_over *x = a, *y = b;
    const uint32_t left[] = {x->rank, x->from_thread, x->to_thread, x->from, x->to};
    const uint32_t right[] = {y->rank, y->from_thread, y->to_thread, y->from, y->to};
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

/* Those of the same threads and vertices are one. */
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

void sca_contention_fill(struct sca_analysis *c)
{
    struct sca_report_contention *to = &c->report->contention;
    struct sca_lock_waits locks;
    double told = 0;
    sca_lock_waits_read(c->space, &c->ppg->runs[c->last], &locks);
    for (uint32_t i = 0; i < locks.waits.n; i++)
        to->wait_s += locks.waits.of[i].seconds;
    struct sca_report_hand_over *all =
        sca_workspace_alloc(c->space, locks.hand_overs.n, sizeof *all);
    for (uint32_t i = 0; i < locks.hand_overs.n; i++) {
        const struct sca_hand_over *h = &locks.hand_overs.of[i];
        all[i] = (struct sca_report_hand_over){h->rank, h->from_thread, h->to_thread, h->from,
                                               h->to,   h->count,       h->seconds};
        told += h->seconds;
    }
    uint32_t n = join_alike(all, locks.hand_overs.n);
    to->wait_s = fmax(to->wait_s, told);
    to->unknown_s = to->wait_s - told;
    to->nhand_overs = n < SCA_MOST_HAND_OVERS_TOLD ? n : SCA_MOST_HAND_OVERS_TOLD;
    to->left_out = n - to->nhand_overs;
    to->hand_overs = sca_report_memory_take(c, to->nhand_overs + 1ul, sizeof *to->hand_overs);
    for (uint32_t i = 0; i < to->nhand_overs; i++)
        to->hand_overs[i] = all[i];
}
