#include "waits/mismatch.h"
#include "waits/members.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    const struct sca_look *look;
    struct sca_clauses *clauses;
    double least_s;
    struct sca_mismatches *out;
};

/* Forms of one function: MPI_Bcast and MPI_Bcast_c. */
static bool same_function(const char *a, const char *b)
{
    size_t n = strlen(a), k = strlen(b);
    n -= n > 2 && !strcmp(a + n - 2, "_c") ? 2 : 0;
    k -= k > 2 && !strcmp(b + k - 2, "_c") ? 2 : 0;
    return n == k && !strncmp(a, b, n);
}

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
    if (!same_function(function_of(f->look, r), function_of(f->look, s)))
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
                                     .roots = roots});
        return true;
    }
    return false;
}

/* Calls of one function that the rank has completed on the group. */
static uint64_t count_calls(const struct sca_look *look, uint32_t rank, uint32_t group,
                            const char *function)
{
    scalana_edges *edges;
    struct scalana_edge e;
    uint64_t sum = 0;
    uint32_t n = 0;
    if (scalana_edges_open(look->runs, 0, SCALANA_EDGE_COLLECTIVE, rank, 1, &edges))
        return 0;
    while (!scalana_edges_next(edges, 1, &e, sizeof e, &n) && n)
        if (e.group == group && same_function(look->contexts[e.to_context].name, function))
            sum += e.messages;
    scalana_edges_close(edges);
    return sum;
}

/* A function of which `second` has made more calls on the group than `first`. */
static uint32_t surplus(const struct sca_look *look, uint32_t first, uint32_t second,
                        uint32_t group)
{
    scalana_edges *edges;
    struct scalana_edge e;
    uint32_t n = 0, found = SCALANA_NONE;
    if (scalana_edges_open(look->runs, 0, SCALANA_EDGE_COLLECTIVE, second, 1, &edges))
        return found;
    while (found == SCALANA_NONE && !scalana_edges_next(edges, 1, &e, sizeof e, &n) && n) {
        const char *name = look->contexts[e.to_context].name;
        if (e.group == group &&
            count_calls(look, second, group, name) > count_calls(look, first, group, name))
            found = e.to_context;
    }
    scalana_edges_close(edges);
    return found;
}

/* A member that has left the collective of this number, and has not called this function more often
 * than the rank that is in it had before: what it called was another one. */
static bool has_called_another(const struct finding *f, uint32_t r, const struct scalana_awaited *a,
                               uint32_t member, uint64_t done)
{
    const char *function = function_of(f->look, r);
    if (member == r || (int32_t)((uint32_t)done - a->number) <= 0)
        return false;
    return count_calls(f->look, member, a->group, function) <=
           count_calls(f->look, r, a->group, function);
}

static bool find_passed(struct finding *f, uint32_t r, const struct scalana_awaited *a)
{
    const struct sca_members *all = sca_members_of(f->look, f->clauses->groups, a->group);
    for (uint32_t i = 0; all && i < all->n; i++) {
        uint32_t member = all->ranks[i];
        uint64_t done = sca_members_done(f->look, f->clauses->groups, a->group, i);
        if (!has_called_another(f, r, a, member, done))
            continue;
        uint32_t context = surplus(f->look, r, member, a->group);
        if (context == SCALANA_NONE)
            continue;
        add(f, (struct sca_mismatch){.group = a->group,
                                     .first = r,
                                     .second = member,
                                     .context = context,
                                     .passed = true});
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
