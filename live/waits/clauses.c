#include "waits/clauses.h"
#include "waits/members.h"
#include "waits/unmatched.h"

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
        c->clause[c->n++] = (struct sca_clause){rank, c->nnamed, 0, why};
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

static bool is_message(const struct scalana_awaited *a)
{
    return a->kind == SCALANA_AWAITS_SENDER || a->kind == SCALANA_AWAITS_RECEIVER;
}

static bool tags_fit(const struct scalana_awaited *a, const struct scalana_awaited *b)
{
    return a->tag == b->tag || a->tag == SCALANA_ANY_TAG || b->tag == SCALANA_ANY_TAG;
}

/* The other one is in a call that sends what this one receives, or the other way round. */
static bool is_met(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a)
{
    const struct sca_rank_now *other = &look->ranks[a->location];
    if (other->doing != SCALANA_IN_MPI_CALL)
        return false;
    for (uint32_t i = 0; i < other->nknown; i++) {
        const struct scalana_awaited *b = &other->awaited[i];
        if (is_message(b) && b->kind != a->kind && b->group == a->group && tags_fit(a, b) &&
            (b->location == rank || b->any_location))
            return true;
    }
    return false;
}

/* As many messages of that sender are awaited by requests up to this one. */
static int64_t awaited_up_to(const struct sca_rank_now *rank, const struct scalana_awaited *a)
{
    int64_t n = 0;
    for (const struct scalana_awaited *b = rank->awaited; b <= a; b++)
        n += b->kind == a->kind && b->group == a->group && b->location == a->location;
    return n;
}

static bool is_under_way(const struct making *m, uint32_t rank, const struct scalana_awaited *a)
{
    int64_t n = 0;
    if (a->kind != SCALANA_AWAITS_SENDER || a->group == SCALANA_NONE ||
        scalana_messages_under_way(m->look->runs, 0, a->group, a->location, rank, &n))
        return false;
    return n >= awaited_up_to(&m->look->ranks[rank], a) &&
           !sca_unmatched_is(m->look, rank, a, a->location, m->least_s);
}

/* That rank sends, or has sent, what may be it. */
static bool may_come(const struct making *m, uint32_t rank, const struct scalana_awaited *a,
                     uint32_t sender)
{
    struct scalana_awaited from = *a;
    int64_t n = 0;
    from.location = sender;
    return is_met(m->look, rank, &from) ||
           (!scalana_messages_under_way(m->look->runs, 0, a->group, sender, rank, &n) && n > 0 &&
            !sca_unmatched_is(m->look, rank, a, sender, m->least_s));
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
    if (is_met(m->look, rank, a) || is_under_way(m, rank, a))
        return true; /* nobody is waited for */
    add_clause(m, rank, a->location, a);
    return true;
}

const struct scalana_awaited *sca_clauses_same_group(const struct sca_look *look, uint32_t rank,
                                                     const struct scalana_awaited *like)
{
    const struct sca_rank_now *other = &look->ranks[rank];
    for (uint32_t i = 0; other->doing == SCALANA_IN_MPI_CALL && i < other->nknown; i++)
        if (!is_message(&other->awaited[i]) && other->awaited[i].group == like->group)
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
    return is_message(a) ? add_message(m, rank, a) : add_collective(m, rank, a);
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

static bool add_call(struct making *m, uint32_t r)
{
    const struct sca_rank_now *rank = &m->look->ranks[r];
    uint32_t from = m->out->n;
    bool known = rank->nawaited && rank->nknown == rank->nawaited;
    for (uint32_t i = 0; known && i < rank->nknown; i++) {
        uint32_t before = m->out->n;
        known = add_awaited(m, r, &rank->awaited[i]);
        if (rank->any && m->out->n == before) /* that one will do */
            known = false;
    }
    return known && (rank->any ? join(m, from) : m->out->n > from);
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
    if (!rank->known || rank->doing == SCALANA_COMPUTES || rank->doing == SCALANA_HAS_ENDED)
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
