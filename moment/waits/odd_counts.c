#include "waits/odd_counts.h"
#include "waits/coming.h"

#include <stdlib.h>

enum { FEWEST = 2 /* ranks that agree tell what is usual */ };

struct counting {
    const struct sca_look *look;
    const double *calls; /* [context * nranks + rank] */
    uint32_t rank;
    const struct scalana_awaited *met; /* the collective that others wait in */
};

static double calls_of(const struct counting *c, uint32_t rank, uint32_t context)
{
    return c->calls[(size_t)context * c->look->nranks + rank];
}

/* A collective that nobody leaves before all have come; NULL: it is in none. */
static const struct scalana_awaited *meeting_of(const struct sca_look *look, uint32_t rank)
{
    const struct sca_rank_now *now = &look->ranks[rank];
    bool one =
        now->known && now->doing == SCALANA_IN_MPI_CALL && now->nawaited == 1 && now->nknown == 1;
    bool met = one && now->awaited->kind == SCALANA_AWAITS_ALL;
    return met && now->awaited->group != SCALANA_NONE ? now->awaited : NULL;
}

/* One of MPI_COMM_WORLD, which a rank that is elsewhere has to come to. */
static const struct scalana_awaited *meeting_of_all(const struct sca_look *look)
{
    for (uint32_t r = 0; r < look->nranks; r++) {
        const struct scalana_awaited *met = meeting_of(look, r);
        if (met && !met->group)
            return met;
    }
    return NULL;
}

static bool is_same(const struct scalana_awaited *a, const struct scalana_awaited *b)
{
    return a && b && a->group == b->group && a->number == b->number;
}

/* The collective is one that the rank is in, too. */
static bool has_come(const struct counting *c)
{
    return is_same(meeting_of(c->look, c->rank), c->met);
}

/* Calls of the rank that have ended, and the one for messages that it is in: it has begun that. The
 * collective that others are in it still has to come to. */
static double own_calls(const struct counting *c, uint32_t context)
{
    bool in_it = !has_come(c) && c->look->ranks[c->rank].context == context;
    return calls_of(c, c->rank, context) + in_it;
}

/* In that collective, with calls at the same places. */
static bool is_like(const struct counting *c, uint32_t other)
{
    if (other == c->rank || !is_same(meeting_of(c->look, other), c->met))
        return false;
    for (uint32_t k = 0; k < c->look->ncontexts; k++)
        if ((calls_of(c, other, k) > 0) != (own_calls(c, k) > 0))
            return false;
    return true;
}

/* How many such ranks there are; 0: they do not agree on that call. */
static uint32_t agree(const struct counting *c, const bool *like, uint32_t context, double *usual)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < c->look->nranks; r++) {
        if (!like[r])
            continue;
        if (n && calls_of(c, r, context) != *usual)
            return 0;
        *usual = calls_of(c, r, context);
        n++;
    }
    return n;
}

static bool is_odd(const struct counting *c, uint32_t context, double usual, double *calls)
{
    *calls = own_calls(c, context);
    return *calls > usual || (has_come(c) && *calls < usual);
}

/* It is in that collective, or waits for messages alone. */
static bool is_known(const struct counting *c)
{
    const struct sca_rank_now *now = &c->look->ranks[c->rank];
    bool messages = now->doing == SCALANA_IN_MPI_CALL && now->nknown;
    for (uint32_t i = 0; i < now->nknown; i++)
        messages &= sca_coming_is_message(&now->awaited[i]);
    return messages || has_come(c);
}

/* Of several calls the one that is made least often: it lies the furthest out of loops. */
static bool find(struct counting *c, struct sca_odd_count *out)
{
    bool *like = calloc(c->look->nranks, sizeof *like), found = false;
    for (uint32_t r = 0; like && r < c->look->nranks; r++)
        like[r] = is_like(c, r);
    for (uint32_t k = 0; like && k < c->look->ncontexts; k++) {
        double usual = 0, calls = 0;
        uint32_t n = c->look->contexts[k].kind == SCALANA_MPI ? agree(c, like, k, &usual) : 0;
        if (n < FEWEST || !is_odd(c, k, usual, &calls) || (found && usual >= out->usual))
            continue;
        *out = (struct sca_odd_count){c->rank, k, calls, usual, n};
        found = true;
    }
    free(like);
    return found;
}

bool sca_odd_counts_among(const struct sca_look *look, const double *calls, uint32_t rank,
                          struct sca_odd_count *out)
{
    struct counting c = {.look = look, .calls = calls, .rank = rank};
    c.met = meeting_of(look, rank);
    c.met = c.met ? c.met : meeting_of_all(look);
    return c.met && is_known(&c) && find(&c, out);
}

bool sca_odd_counts_find(const struct sca_look *look, const struct sca_hangs *hangs,
                         struct sca_odd_count *out)
{
    double *calls = malloc((size_t)look->ncontexts * look->nranks * sizeof *calls);
    bool found = false;
    if (calls && !scalana_metric_values(look->runs, 0, SCALANA_METRIC_MPI_CALLS, SCALANA_EXCLUSIVE,
                                        0, look->ncontexts, 0, look->nranks, calls))
        for (uint32_t i = 0; i < hangs->ncycle && !found; i++)
            found = sca_odd_counts_among(look, calls, hangs->cycle[i], out);
    free(calls);
    return found;
}
