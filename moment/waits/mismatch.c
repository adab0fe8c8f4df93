#include "waits/mismatch.h"
#include "waits/completed.h"
#include "waits/members.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    const struct sca_look *look;
    struct sca_clauses *clauses;
    double least_s;
    struct sca_mismatches *out;
};

static const char *function_of(const struct sca_look *look, uint32_t rank)
{
    return look->contexts[look->ranks[rank].context].name;
}

/* The blocking collective that a rank has been in for long; a wait for requests has no name. */
static const struct scalana_awaited *collective_of(const struct finding *f, uint32_t r)
{
    const struct sca_rank_now *rank = &f->look->ranks[r];
    bool one = rank->known && rank->doing == SCALANA_IN_MPI_CALL && rank->nawaited == 1 &&
               rank->nknown == 1 && rank->since_s >= f->least_s;
    if (!one || rank->awaited->kind < SCALANA_AWAITS_ALL || rank->awaited->group == SCALANA_NONE)
        return NULL;
    return strncmp(function_of(f->look, r), "MPI_Wait", 8) ? rank->awaited : NULL;
}

static bool is_rooted(const struct scalana_awaited *a)
{
    return a->kind == SCALANA_AWAITS_ROOT || a->kind == SCALANA_AWAITS_MEMBERS;
}

static bool is_same_call(const struct scalana_awaited *a, const struct scalana_awaited *b)
{
    return b && b->group == a->group && b->number == a->number;
}

static bool differs(const struct finding *f, uint32_t r, uint32_t s, bool *roots)
{
    const struct scalana_awaited *a = f->look->ranks[r].awaited, *b = f->look->ranks[s].awaited;
    *roots = false;
    if (!sca_completed_is_same(function_of(f->look, r), function_of(f->look, s)))
        return true;
    *roots = is_rooted(a) && is_rooted(b) && a->location != b->location;
    return *roots;
}

static void add(struct finding *f, struct sca_mismatch m)
{
    const struct scalana_awaited *a = f->look->ranks[m.first].awaited;
    bool ignored;
    for (uint32_t i = 0; i < f->look->nranks; i++) {
        if (!is_same_call(a, collective_of(f, i)))
            continue;
        if (differs(f, m.first, i, &ignored))
            m.nsecond++;
        else
            m.nfirst++;
    }
    f->out->list[f->out->n++] = m;
}

/* Both are in their calls now. */
static bool find_facing(struct finding *f, uint32_t r, const struct scalana_awaited *a)
{
    bool roots = false;
    for (uint32_t s = r + 1; s < f->look->nranks; s++) {
        if (!is_same_call(a, collective_of(f, s)) || !differs(f, r, s, &roots))
            continue;
        add(f, (struct sca_mismatch){.group = a->group,
                                     .first = r,
                                     .second = s,
                                     .context = f->look->ranks[s].context,
                                     .roots = roots,
                                     .root = f->look->ranks[s].awaited->location});
        return true;
    }
    return false;
}

static bool has_passed(const struct scalana_awaited *a, uint64_t done)
{
    return (int32_t)((uint32_t)done - a->number) > 0;
}

/* A member that has left the collective of this number, and has not called this function more often
 * than the rank that is in it had before: what it called was another one. */
static bool has_called_another(const struct finding *f, uint32_t r, const struct scalana_awaited *a,
                               uint32_t member, struct sca_surplus *other)
{
    const char *function = function_of(f->look, r);
    return sca_completed_calls(f->look, member, a->group, function, SCA_ANY_ROOT) <=
               sca_completed_calls(f->look, r, a->group, function, SCA_ANY_ROOT) &&
           sca_completed_surplus(f->look, r, member, a->group, NULL, other);
}

/* It has called the function, but not with this root: what it called had another one. All that it
 * has completed must be in the books, by root. */
static bool has_named_another(const struct finding *f, uint32_t r, const struct scalana_awaited *a,
                              uint32_t member, uint64_t done, struct sca_surplus *other)
{
    const char *function = function_of(f->look, r);
    return is_rooted(a) && a->location != SCALANA_NONE &&
           sca_completed_calls(f->look, member, a->group, NULL, SCA_ANY_ROOT) == done &&
           sca_completed_calls(f->look, member, a->group, function, a->location) <=
               sca_completed_calls(f->look, r, a->group, function, a->location) &&
           sca_completed_surplus(f->look, r, member, a->group, function, other);
}

static bool find_passed(struct finding *f, uint32_t r, const struct scalana_awaited *a)
{
    const struct sca_members *all = sca_members_of(f->look, f->clauses->groups, a->group);
    for (uint32_t i = 0; all && i < all->n; i++) {
        uint32_t member = all->ranks[i];
        uint64_t done = sca_members_done(f->look, f->clauses->groups, a->group, i);
        struct sca_surplus other;
        if (member == r || !has_passed(a, done))
            continue;
        bool called = has_called_another(f, r, a, member, &other);
        bool roots = !called && has_named_another(f, r, a, member, done, &other);
        if (!called && !roots)
            continue;
        add(f, (struct sca_mismatch){.group = a->group,
                                     .first = r,
                                     .second = member,
                                     .context = other.context,
                                     .passed = true,
                                     .roots = roots,
                                     .root = other.root});
        return true;
    }
    return false;
}

static bool is_told(const struct sca_mismatches *all, uint32_t group)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->list[i].group == group)
            return true;
    return false;
}

int sca_mismatches_find(const struct sca_look *look, struct sca_clauses *clauses, double least_s,
                        struct sca_mismatches *out)
{
    struct finding f = {look, clauses, least_s, out};
    *out = (struct sca_mismatches){.list = calloc(look->nranks, sizeof *out->list)};
    if (!out->list)
        return SCALANA_ENOMEM;
    for (uint32_t r = 0; r < look->nranks; r++) {
        const struct scalana_awaited *a = collective_of(&f, r);
        if (a && !is_told(out, a->group) && !find_facing(&f, r, a))
            find_passed(&f, r, a);
    }
    return SCALANA_OK;
}

void sca_mismatches_free(struct sca_mismatches *mismatches)
{
    free(mismatches->list);
    *mismatches = (struct sca_mismatches){0};
}
