#include "waits/clauses.h"
#include "waits/coming.h"
#include "waits/members.h"

#include <stdlib.h>
#include <string.h>

struct making {
    const struct sca_look *look;
    struct sca_clauses *out;
    size_t clause_room, rank_room;
    double least_s;
    bool failed;
};

static void *grown(struct making *m, void *list, size_t size, size_t used, size_t *room)
{
    if (used < *room)
        return list;
    size_t more = *room ? 2 * *room : 64;
    void *larger = realloc(list, more * size);
    m->failed |= !larger;
    *room = larger ? more : *room;
    return larger ? larger : list;
}

static void add_rank(struct making *m, uint32_t rank)
{
    struct sca_clauses *c = m->out;
    c->ranks = grown(m, c->ranks, sizeof *c->ranks, c->nnamed, &m->rank_room);
    if (!m->failed)
        c->ranks[c->nnamed++] = rank;
}

/* Begins a clause; ranks are added to it, and end() counts them. */
static void begin(struct making *m, uint32_t rank, const struct scalana_awaited *why)
{
    struct sca_clauses *c = m->out;
    c->clause = grown(m, c->clause, sizeof *c->clause, c->n, &m->clause_room);
    if (!m->failed)
        c->clause[c->n++] = (struct sca_clause){.rank = rank, .first = c->nnamed, .why = why};
}

static void end(struct making *m)
{
    if (!m->failed)
        m->out->clause[m->out->n - 1].n = m->out->nnamed - m->out->clause[m->out->n - 1].first;
}

static void add_clause(struct making *m, uint32_t rank, uint32_t on,
                       const struct scalana_awaited *why)
{
    begin(m, rank, why);
    add_rank(m, on);
    end(m);
}

/* That rank sends, or has sent, what may be it. */
static bool may_come(const struct making *m, uint32_t rank, const struct scalana_awaited *a,
                     uint32_t sender)
{
    struct scalana_awaited from = *a;
    from.location = sender;
    return sca_coming_fits(m->look, rank, &from, sender) &&
           !sca_coming_is_other_of(m->look, rank, a, sender, m->least_s);
}

/* Whoever may send. */
static bool add_wildcard(struct making *m, uint32_t rank, const struct scalana_awaited *a)
{
    const struct sca_members *all =
        a->group == SCALANA_NONE ? NULL : sca_members_of(m->look, m->out->groups, a->group);
    if (!all || !all->whole)
        return false;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->ranks[i] != rank && may_come(m, rank, a, all->ranks[i]))
            return false;
    begin(m, rank, a);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->ranks[i] != rank)
            add_rank(m, all->ranks[i]);
    end(m);
    return true;
}

static bool add_message(struct making *m, uint32_t rank, const struct scalana_awaited *a)
{
    if (a->any_location)
        return add_wildcard(m, rank, a);
    if (a->location == SCALANA_NONE)
        return false;
    bool comes = a->kind == SCALANA_AWAITS_SENDER ? sca_coming_fits(m->look, rank, a, a->location)
                                                  : sca_coming_is_taken(m->look, rank, a);
    if (comes)
        return true; /* nobody is waited for */
    add_clause(m, rank, a->location, a);
    return true;
}

const struct scalana_awaited *sca_clauses_same_group(const struct sca_look *look, uint32_t rank,
                                                     const struct scalana_awaited *like)
{
    const struct sca_rank_now *other = &look->ranks[rank];
    for (uint32_t i = 0; other->doing == SCALANA_IN_MPI_CALL && i < other->nknown; i++)
        if (!sca_coming_is_message(&other->awaited[i]) && other->awaited[i].group == like->group)
            return &other->awaited[i];
    return NULL;
}

/* The member has come to this collective of the group, or has left it. */
static bool has_come(struct making *m, const struct scalana_awaited *a,
                     const struct sca_members *all, uint32_t i)
{
    const struct scalana_awaited *own = sca_clauses_same_group(m->look, all->ranks[i], a);
    if (own)
        return (int32_t)(own->number - a->number) >= 0;
    uint64_t done = sca_members_done(m->look, m->out->groups, a->group, i);
    return (int32_t)((uint32_t)done - a->number) > 0;
}

/* All of the members that have not come, or, if one is enough, any of them. */
static void add_missing(struct making *m, uint32_t rank, const struct scalana_awaited *a,
                        const struct sca_members *all, bool one)
{
    bool begun = false;
    for (uint32_t i = 0; i < all->n; i++) {
        if (all->ranks[i] == rank || has_come(m, a, all, i))
            continue;
        if (one && begun)
            add_rank(m, all->ranks[i]);
        else if (one)
            begin(m, rank, a), add_rank(m, all->ranks[i]);
        else
            add_clause(m, rank, all->ranks[i], a);
        begun = true;
    }
    if (one && begun)
        end(m);
}

/* Where the root is there already, data pass through others, who may not be. */
static bool add_collective(struct making *m, uint32_t rank, const struct scalana_awaited *a)
{
    const struct sca_members *all =
        a->group == SCALANA_NONE ? NULL : sca_members_of(m->look, m->out->groups, a->group);
    if (!all || !all->whole)
        return false;
    if (a->kind == SCALANA_AWAITS_ALL || a->kind == SCALANA_AWAITS_MEMBERS) {
        add_missing(m, rank, a, all, false);
        return true;
    }
    for (uint32_t i = 0; a->kind == SCALANA_AWAITS_ROOT && i < all->n; i++)
        if (all->ranks[i] == a->location && !has_come(m, a, all, i)) {
            add_clause(m, rank, a->location, a);
            return true;
        }
    add_missing(m, rank, a, all, true);
    return true;
}

static bool add_awaited(struct making *m, uint32_t rank, const struct scalana_awaited *a)
{
    return sca_coming_is_message(a) ? add_message(m, rank, a) : add_collective(m, rank, a);
}

/* One of several is enough: their clauses become one. False where one of them is nobody's. */
static bool join(struct making *m, uint32_t from)
{
    struct sca_clauses *c = m->out;
    if (c->n == from)
        return false;
    struct sca_clause *all = &c->clause[from];
    all->n = c->nnamed - all->first;
    c->n = from + 1;
    return true;
}

/* Of one that is both sent and received the send is waited for only if the receive is not: it may
 * have been over at once. */
static bool is_side(const struct making *m, uint32_t r, uint32_t i)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    return !rank->any && rank->nknown == 2 && rank->awaited[i].kind == SCALANA_AWAITS_RECEIVER &&
           rank->awaited[!i].kind == SCALANA_AWAITS_SENDER && sca_coming_sends(m->look, r);
}

static bool add_requests(struct making *m, uint32_t r, bool sides)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    bool known = rank->nawaited && rank->nknown == rank->nawaited;
    for (uint32_t i = 0; known && i < rank->nknown; i++) {
        uint32_t before = m->out->n;
        if (is_side(m, r, i) != sides)
            continue;
        known = add_awaited(m, r, &rank->awaited[i]);
        if (rank->any && m->out->n == before) /* that one will do */
            known = false;
    }
    return known;
}

/* What was sent to the rank is not what it waits for: one of the senders must send more. */
static bool add_others(struct making *m, uint32_t r, uint32_t from)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    if (!sca_coming_is_other(m->look, r, m->least_s))
        return false;
    m->out->n = from;
    begin(m, r, rank->awaited);
    for (uint32_t i = 0; i < rank->nknown; i++)
        add_rank(m, rank->awaited[i].location);
    end(m);
    if (!m->failed)
        m->out->clause[from].other = true;
    return true;
}

static bool add_call(struct making *m, uint32_t r)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    uint32_t from = m->out->n;
    bool known = add_requests(m, r, false);
    if (known && m->out->n == from)
        known = add_requests(m, r, true);
    known = known && (rank->any ? join(m, from) : m->out->n > from);
    return known || add_others(m, r, from);
}

static void add_finalize(struct making *m, uint32_t rank)
{
    for (uint32_t r = 0; r < m->look->nranks; r++)
        if (r != rank && m->look->ranks[r].doing != SCALANA_IN_FINALIZE)
            add_clause(m, rank, r, NULL);
}

static enum sca_standing stand(struct making *m, uint32_t r, double least_s)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    uint32_t from = m->out->n, named = m->out->nnamed;
    if (!rank->known || rank->doing == SCALANA_COMPUTES || rank->doing == SCALANA_HAS_ENDED ||
        rank->doing == SCALANA_WAITS_FOR_LOCK)
        return SCA_MOVES;
    if (rank->doing == SCALANA_IN_FINALIZE) {
        add_finalize(m, r);
        return m->out->n > from ? SCA_WAITS : SCA_MOVES;
    }
    if (rank->since_s < least_s)
        return SCA_MOVES;
    if (add_call(m, r))
        return SCA_WAITS;
    m->out->n = from;
    m->out->nnamed = named;
    return SCA_MAY_WAIT;
}

int sca_clauses_make(const struct sca_look *look, double least_s, struct sca_clauses *out)
{
    struct making m = {.look = look, .out = out, .least_s = least_s};
    *out = (struct sca_clauses){.nranks = look->nranks, .ngroups = look->run.ngroups};
    out->standing = calloc(look->nranks, sizeof *out->standing);
    out->first = calloc(look->nranks + 1ul, sizeof *out->first);
    out->groups = calloc(look->run.ngroups + 1ul, sizeof *out->groups);
    m.failed = !out->standing || !out->first || !out->groups;
    for (uint32_t r = 0; !m.failed && r < look->nranks; r++) {
        out->standing[r] = stand(&m, r, least_s);
        out->first[r + 1] = out->n;
    }
    if (m.failed)
        sca_clauses_free(out);
    return m.failed ? SCALANA_ENOMEM : SCALANA_OK;
}

void sca_clauses_free(struct sca_clauses *clauses)
{
    sca_members_free(clauses->groups, clauses->ngroups);
    free(clauses->standing);
    free(clauses->first);
    free(clauses->clause);
    free(clauses->ranks);
    *clauses = (struct sca_clauses){0};
}
