#include "measure/core_waits.h"
#include "base/degrees.h"
#include "topology/ran_on.h"
#include "topology/system.h"

#include <math.h>

enum { CORES = 256 }; /* of a host, as the runtime folds them */

struct waits_search {
    const struct sca_profile *profile;
    double *used;   /* [host * CORES + core] seconds of locations on it */
    double *waited; /* [host] */
    double *idle;   /* [host] core-seconds outside the binding of its ranks, the most of any */
    double *rank;   /* [rank] what it waited */
    struct sca_system system;
};

/* What the host of a rank has of each core. */
static double *used_at(const struct waits_search *s, uint32_t r)
{
    return s->used + (size_t)s->system.locations[r].host * CORES;
}

/* Whether any rank has idle cores that it may not use. */
static bool any_is_bound(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].present && profile->ranks[r].core_free &&
            *profile->ranks[r].core_free)
            return true;
    return false;
}

static void add_use(double *used, const struct sca_ran_on *of)
{
    uint32_t core;
    double part;
    for (size_t at = 0; sca_ran_on_part(of, &at, &core, &part);)
        used[core % CORES] += part * of->cpu;
}

static void add_rank(const struct waits_search *s, uint32_t r)
{
    const char *next;
    struct sca_ran_on of = sca_ran_on_first(&s->profile->ranks[r], &next);
    do
        add_use(used_at(s, r), &of);
    while (sca_ran_on_next(&s->profile->ranks[r], &next, &of));
}

/* Seconds of other locations on the cores of this one, on average. */
static double others_with(const double *used, const struct sca_ran_on *of)
{
    uint32_t core;
    double part, others = 0;
    for (size_t at = 0; sca_ran_on_part(of, &at, &core, &part);)
        others += part * (used[core % CORES] - part * of->cpu);
    return others;
}

/* Where others take no part of its cores to speak of, it waits for other programs. */
static double longest_wait(const struct waits_search *s, uint32_t r, double wall)
{
    const struct sca_rank *rank = &s->profile->ranks[r];
    const char *next;
    double longest = 0;
    struct sca_ran_on of = sca_ran_on_first(rank, &next);
    do
        if (of.waited > longest && others_with(used_at(s, r), &of) >= SCA_RELEVANT * wall)
            longest = of.waited;
    while (sca_ran_on_next(rank, &next, &of));
    return fmin(longest, wall);
}

static void look_at(const struct waits_search *s, uint32_t r)
{
    const struct sca_rank *rank = &s->profile->ranks[r];
    uint32_t host = s->system.locations[r].host;
    double wall = (double)rank->wall_ns * 1e-9, idle = sca_ran_on_free_cores(rank) * wall;
    double waited = idle > 0 ? longest_wait(s, r, wall) : 0;
    if (waited < SCA_EQUAL_RANKS * wall || waited <= 0)
        return;
    s->rank[r] = waited;
    s->waited[host] += waited;
    s->idle[host] = fmax(s->idle[host], idle);
}

static struct waits_search open_search(struct sca_workspace *scratch,
                                       const struct sca_profile *profile)
{
    struct waits_search s = {.profile = profile};
    sca_system_make(scratch, profile, &s.system);
    s.used = sca_workspace_alloc(scratch, (size_t)s.system.nhosts * CORES, sizeof *s.used);
    s.waited = sca_workspace_alloc(scratch, s.system.nhosts, sizeof *s.waited);
    s.idle = sca_workspace_alloc(scratch, s.system.nhosts, sizeof *s.idle);
    s.rank = sca_workspace_alloc(scratch, profile->nranks, sizeof *s.rank);
    return s;
}

/* On a host no more than its cores were idle. */
static void add_up(const struct waits_search *s, struct sca_core_waits *out)
{
    for (uint32_t h = 0; h < s->system.nhosts; h++)
        out->seconds += fmin(s->waited[h], s->idle[h]);
    for (uint32_t i = 0; i < out->nranks; i++) {
        uint32_t r = out->ranks[i], h = s->system.locations[r].host;
        out->longest = fmax(out->longest, s->rank[r] * fmin(1, s->idle[h] / s->waited[h]));
    }
}

void sca_core_waits_find(struct sca_workspace *space, const struct sca_profile *profile,
                         struct sca_core_waits *out)
{
    *out = (struct sca_core_waits){0};
    if (!any_is_bound(profile))
        return;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct waits_search s = open_search(&scratch, profile);
    out->ranks = sca_workspace_alloc(space, profile->nranks, sizeof *out->ranks);
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].present)
            add_rank(&s, r);
    for (uint32_t r = 0; r < profile->nranks; r++) {
        if (profile->ranks[r].present)
            look_at(&s, r);
        if (s.rank[r] > 0)
            out->ranks[out->nranks++] = r;
    }
    add_up(&s, out);
    sca_workspace_free(&scratch);
}
