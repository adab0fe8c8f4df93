#include "waits/hangs.h"
#include "look/look.h"

#include <stdlib.h>

#define LEAST_S 1.0

/* A look takes a moment: calls that were entered before it began are all under way at once. Of a
 * run that is over nothing changes meanwhile. */
static double least_of(const struct sca_look *look)
{
    return sca_look_goes_on(look) && 2 * look->took_s > LEAST_S ? 2 * look->took_s : LEAST_S;
}

/* Or its threads wait for each other. Of a broken-off run processes are gone, and what they did
 * last counts. */
static bool is_gone(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    return rank->doing == SCALANA_HAS_ENDED ||
           (rank->doing == SCALANA_WAITS_FOR_LOCK && sca_locks_has(&h->locks, r)) ||
           (rank->gone && look->run.state == SCALANA_RUN_GOES_ON);
}

/* ---- ranks that can never go on ---- */

static bool goes_on(const struct sca_hangs *h, uint32_t clause)
{
    const struct sca_clause *c = &h->clauses.clause[clause];
    for (uint32_t i = c->first; i < c->first + c->n; i++)
        if (!h->stuck[h->clauses.ranks[i]])
            return true;
    return false;
}

static bool is_released(const struct sca_hangs *h, uint32_t r)
{
    for (uint32_t c = h->clauses.first[r]; c < h->clauses.first[r + 1]; c++)
        if (!goes_on(h, c))
            return false;
    return true;
}

/* Who polls may stop that, and go on. */
static bool may_be_stuck(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    return h->clauses.standing[r] == SCA_WAITS && !look->ranks[r].polls;
}

/* All that wait are stuck until somebody whom they wait for is not. */
static void release(const struct sca_look *look, struct sca_hangs *h)
{
    for (uint32_t r = 0; r < look->nranks; r++)
        h->stuck[r] = may_be_stuck(look, h, r) || is_gone(look, h, r);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < look->nranks; r++)
            if (h->stuck[r] && h->clauses.standing[r] == SCA_WAITS && is_released(h, r)) {
                h->stuck[r] = false;
                changed = true;
            }
    }
    for (uint32_t r = 0; r < look->nranks; r++) /* who has ended waits for nobody */
        h->nstuck += h->stuck[r] && h->clauses.standing[r] == SCA_WAITS;
}

/* Of a clause that holds the rank up, the first rank; of one that is stuck, a stuck one. */
static uint32_t awaited_by(const struct sca_hangs *h, uint32_t r)
{
    for (uint32_t c = h->clauses.first[r]; c < h->clauses.first[r + 1]; c++)
        if (!h->stuck[r] || !goes_on(h, c))
            return h->clauses.ranks[h->clauses.clause[c].first];
    return SCALANA_NONE;
}

static void note_awaited(const struct sca_look *look, struct sca_hangs *h)
{
    for (uint32_t r = 0; r < look->nranks; r++)
        h->awaits[r] = h->clauses.standing[r] == SCA_WAITS ? awaited_by(h, r) : SCALANA_NONE;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* From any stuck rank on, whom it waits for, until one comes again: the circle begins there. */
static void find_cycle(const struct sca_look *look, struct sca_hangs *h)
{
    uint32_t at = 0;
    while (at < look->nranks && !(h->stuck[at] && h->awaits[at] != SCALANA_NONE))
        at++;
    for (uint32_t step = 0; at < look->nranks && step < look->nranks; step++)
        at = h->awaits[at] == SCALANA_NONE ? look->nranks : h->awaits[at];
    for (uint32_t r = at; at < look->nranks && (r != at || !h->ncycle); r = h->awaits[r])
        h->cycle[h->ncycle++] = r;
    if (h->ncycle)
        qsort(h->cycle, h->ncycle, sizeof *h->cycle, by_number);
}

/* ---- whom all finally wait for ---- */

static uint32_t follow(const struct sca_look *look, const struct sca_hangs *h, uint32_t r,
                       uint32_t *hops)
{
    for (*hops = 0; *hops < look->nranks && h->awaits[r] != SCALANA_NONE; ++*hops)
        r = h->awaits[r];
    return *hops < look->nranks ? r : SCALANA_NONE;
}

static int by_waiting(const void *a, const void *b)
{
    const struct sca_final *x = a, *y = b;
    return x->nwaiting != y->nwaiting ? (x->nwaiting < y->nwaiting ? 1 : -1)
                                      : (x->rank > y->rank) - (x->rank < y->rank);
}

static void find_finals(const struct sca_look *look, struct sca_hangs *h)
{
    for (uint32_t r = 0; r < look->nranks; r++)
        h->finals[r].rank = r;
    for (uint32_t r = 0; r < look->nranks; r++) {
        uint32_t hops, last = follow(look, h, r, &hops);
        if (!hops || last == SCALANA_NONE || h->stuck[last])
            continue;
        h->finals[last].nwaiting++;
        h->finals[last].hops = hops > h->finals[last].hops ? hops : h->finals[last].hops;
    }
    qsort(h->finals, look->nranks, sizeof *h->finals, by_waiting);
    while (h->nfinals < look->nranks && h->finals[h->nfinals].nwaiting)
        h->nfinals++;
}

static int find(const struct sca_look *look, double least, struct sca_hangs *out)
{
    *out = (struct sca_hangs){0};
    int status = sca_clauses_make(look, least, &out->clauses);
    out->stuck = calloc(look->nranks, sizeof *out->stuck);
    out->cycle = calloc(look->nranks + 1ul, sizeof *out->cycle);
    out->awaits = calloc(look->nranks, sizeof *out->awaits);
    out->finals = calloc(look->nranks, sizeof *out->finals);
    if (!status && (!out->stuck || !out->cycle || !out->awaits || !out->finals))
        status = SCALANA_ENOMEM;
    if (!status)
        status = sca_mismatches_find(look, &out->clauses, least, &out->mismatches);
    if (!status)
        status = sca_locks_find(look, &out->locks);
    if (status) {
        sca_hangs_free(out);
        return status;
    }
    release(look, out);
    note_awaited(look, out);
    find_cycle(look, out);
    find_finals(look, out);
    return SCALANA_OK;
}

/* Of calls that both are in, however short a time. */
static void keep_facing(struct sca_mismatches *all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (!all->list[i].passed)
            all->list[kept++] = all->list[i];
    all->n = kept;
}

static void keep_outside(const struct sca_look *look, struct sca_hangs *h)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < h->nfinals; i++)
        if (look->ranks[h->finals[i].rank].doing == SCALANA_COMPUTES)
            h->finals[kept++] = h->finals[i];
    h->nfinals = kept;
}

/* Where a launcher, or MPI, has ended all at once, waits were short. What does not fit is a defect
 * all the same. Who was outside MPI while others waited says something, but not that anybody hung.
 */
static int find_short(const struct sca_look *look, struct sca_hangs *out)
{
    sca_hangs_free(out);
    int status = find(look, 0, out);
    if (status)
        return status;
    keep_facing(&out->mismatches);
    keep_outside(look, out);
    for (uint32_t r = 0; r < look->nranks; r++)
        out->stuck[r] = false;
    out->nstuck = out->ncycle = 0;
    return SCALANA_OK;
}

int sca_hangs_find(const struct sca_look *look, struct sca_hangs *out)
{
    int status = find(look, least_of(look), out);
    bool silent = !status && !out->nstuck && !out->nfinals && !out->mismatches.n && !out->locks.n;
    if (silent && look->run.state == SCALANA_RUN_BROKE_OFF)
        status = find_short(look, out);
    return status;
}

void sca_hangs_free(struct sca_hangs *hangs)
{
    sca_clauses_free(&hangs->clauses);
    free(hangs->stuck);
    free(hangs->cycle);
    free(hangs->awaits);
    free(hangs->finals);
    sca_mismatches_free(&hangs->mismatches);
    sca_locks_free(&hangs->locks);
    *hangs = (struct sca_hangs){0};
}
