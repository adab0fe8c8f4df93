#include "waits/coming.h"

#include <string.h>

enum { MOST = 16 }; /* messages of a pair of ranks whose tags are looked at */

/* No network of today that is slower is in use, with all that a job sends at a time. */
#define SLOWEST_BYTES_PER_S 5e7

bool sca_coming_is_message(const struct scalana_awaited *a)
{
    return a->kind == SCALANA_AWAITS_SENDER || a->kind == SCALANA_AWAITS_RECEIVER;
}

bool sca_coming_sends(const struct sca_look *look, uint32_t rank)
{
    const struct sca_rank_now *now = &look->ranks[rank];
    const char *name = look->contexts[now->context].name;
    return now->doing == SCALANA_IN_MPI_CALL &&
           (look->united[rank] || strncmp(name, "MPI_Wait", 8));
}

static bool tags_fit(int32_t a, int32_t b)
{
    return a == b || a == SCALANA_ANY_TAG || b == SCALANA_ANY_TAG;
}

/* The i-th thing that a rank awaits is that this one, of the group, receives what it sends. */
static bool is_to(const struct sca_rank_now *sender, uint32_t i, uint32_t rank, uint32_t group)
{
    const struct scalana_awaited *b = &sender->awaited[i];
    return b->kind == SCALANA_AWAITS_RECEIVER && b->location == rank && b->group == group;
}

/* Messages that a call is just sending, of which nothing is counted yet. */
static int64_t being_sent(const struct sca_look *look, uint32_t from, uint32_t rank, uint32_t group,
                          int32_t tag, int64_t *others)
{
    const struct sca_rank_now *sender = &look->ranks[from];
    int64_t n = 0;
    *others = 0;
    for (uint32_t i = 0; sca_coming_sends(look, from) && i < sender->nknown; i++)
        if (is_to(sender, i, rank, group)) {
            n++;
            *others += !tags_fit(sender->awaited[i].tag, tag);
        }
    return n;
}

static uint32_t kept(const struct sca_look *look, uint32_t group, uint32_t from, uint32_t rank,
                     struct scalana_kept_message rows[MOST])
{
    uint32_t n = 0;
    return scalana_under_way_kept(look->runs, 0, group, from, rank, MOST, rows, sizeof *rows, &n)
               ? 0
               : n;
}

/* Of messages that are there, those that are known to have another tag. */
static int64_t with_other_tag(const struct sca_look *look, uint32_t group, uint32_t from,
                              uint32_t rank, int32_t tag)
{
    struct scalana_kept_message rows[MOST];
    uint32_t n = kept(look, group, from, rank, rows);
    int64_t others = 0;
    for (uint32_t i = 0; i < n; i++)
        others += !tags_fit(rows[i].tag, tag);
    return others;
}

/* Requests up to this one for messages of that sender that must have its tag, too. */
static int64_t awaited_up_to(const struct sca_rank_now *rank, const struct scalana_awaited *a)
{
    int64_t n = 0;
    for (const struct scalana_awaited *b = rank->awaited; b < rank->awaited + rank->nknown; b++) {
        bool same = b->kind == a->kind && b->group == a->group && b->location == a->location;
        n += same && (a->tag == SCALANA_ANY_TAG || b->tag == a->tag);
        if (b == a)
            break;
    }
    return n;
}

bool sca_coming_fits(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                     uint32_t from)
{
    int64_t n = 0, others, needed = awaited_up_to(&look->ranks[rank], a);
    if (a->group == SCALANA_NONE ||
        scalana_messages_under_way(look->runs, 0, a->group, from, rank, &n))
        return false;
    n += being_sent(look, from, rank, a->group, a->tag, &others);
    if (n < 0) /* what was received had been sent: not all of it was counted */
        return true;
    if (n - others >= needed)
        others += with_other_tag(look, a->group, from, rank, a->tag);
    return n - others >= (needed ? needed : 1);
}

bool sca_coming_is_taken(const struct sca_look *look, uint32_t rank,
                         const struct scalana_awaited *a)
{
    const struct sca_rank_now *other = &look->ranks[a->location];
    if (other->doing != SCALANA_IN_MPI_CALL)
        return false;
    for (uint32_t i = 0; i < other->nknown; i++) {
        const struct scalana_awaited *b = &other->awaited[i];
        if (b->kind == SCALANA_AWAITS_SENDER && b->group == a->group && tags_fit(a->tag, b->tag) &&
            (b->location == rank || b->any_location))
            return true;
    }
    return false;
}

/* ---- what is there does not fit ---- */

static bool is_inside(const struct sca_look *look, uint32_t r, double s)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    bool inside = rank->doing == SCALANA_IN_MPI_CALL || rank->doing == SCALANA_IN_FINALIZE;
    return rank->known && inside && rank->since_s >= s;
}

static bool get(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                uint32_t from, struct scalana_under_way *out)
{
    return a->kind == SCALANA_AWAITS_SENDER && a->group != SCALANA_NONE && from != SCALANA_NONE &&
           !scalana_under_way_get(look->runs, 0, a->group, from, rank, out, sizeof *out) &&
           out->messages > 0;
}

static double passing_s(const struct scalana_under_way *way)
{
    return way->bytes > 0 ? (double)way->bytes / SLOWEST_BYTES_PER_S : 0;
}

bool sca_coming_is_other_of(const struct sca_look *look, uint32_t rank,
                            const struct scalana_awaited *a, uint32_t from, double least_s)
{
    struct scalana_under_way way;
    if (look->ranks[rank].nawaited != 1 || !is_inside(look, rank, least_s) ||
        !is_inside(look, from, least_s) || !get(look, rank, a, from, &way))
        return false;
    double s = least_s + passing_s(&way);
    return is_inside(look, rank, s) && is_inside(look, from, s);
}

/* How long it takes to pass on what it waits for; below 0: that is not known. */
static double all_passing_s(const struct sca_look *look, uint32_t rank)
{
    const struct sca_rank_now *now = &look->ranks[rank];
    double s = 0;
    for (uint32_t i = 0; i < now->nknown; i++) {
        const struct scalana_awaited *a = &now->awaited[i];
        struct scalana_under_way way;
        if (a->any_location || !get(look, rank, a, a->location, &way) ||
            way.messages < awaited_up_to(now, a))
            return -1;
        s += passing_s(&way);
    }
    return now->nknown && now->nknown == now->nawaited ? s : -1;
}

bool sca_coming_is_other(const struct sca_look *look, uint32_t rank, double least_s)
{
    const struct sca_rank_now *now = &look->ranks[rank];
    double s = all_passing_s(look, rank);
    if (s < 0 || !is_inside(look, rank, least_s + s))
        return false;
    for (uint32_t i = 0; i < now->nknown; i++)
        if (!is_inside(look, now->awaited[i].location, least_s + s))
            return false;
    return true;
}

/* ---- tags ---- */

static bool is_tag_awaited(const struct sca_rank_now *now, const struct scalana_awaited *like,
                           int32_t tag)
{
    for (uint32_t i = 0; i < now->nknown; i++) {
        const struct scalana_awaited *b = &now->awaited[i];
        if (b->kind == like->kind && b->group == like->group && tags_fit(b->tag, tag) &&
            (b->any_location || b->location == like->location))
            return true;
    }
    return false;
}

static bool is_tag_there(const struct scalana_kept_message *rows, uint32_t n, int32_t tag)
{
    for (uint32_t i = 0; i < n; i++)
        if (tags_fit(rows[i].tag, tag))
            return true;
    return false;
}

static bool other_tag(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                      struct sca_other_tag *out)
{
    struct scalana_kept_message rows[MOST];
    uint32_t n = kept(look, a->group, a->location, rank, rows);
    if (is_tag_there(rows, n, a->tag))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!is_tag_awaited(&look->ranks[rank], a, rows[i].tag)) {
            *out = (struct sca_other_tag){rows[i].context, rows[i].tag, a->tag};
            return true;
        }
    return false;
}

bool sca_coming_other_tag(const struct sca_look *look, uint32_t rank, uint32_t from,
                          struct sca_other_tag *out)
{
    const struct sca_rank_now *now = &look->ranks[rank];
    for (uint32_t i = 0; i < now->nknown; i++) {
        const struct scalana_awaited *a = &now->awaited[i];
        if (a->kind == SCALANA_AWAITS_SENDER && a->location == from && a->group != SCALANA_NONE &&
            other_tag(look, rank, a, out))
            return true;
    }
    return false;
}
