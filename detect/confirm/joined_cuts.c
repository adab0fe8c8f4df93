#include "confirm/joined_cuts.h"

#include <math.h>

struct cut_joining {
    const struct sca_measure *m;
    const bool *between; /* per interval: what the other takes all of; NULL: it has cuts */
    bool nested;     /* the one lies in the other: of two cuts in an interval the greater counts */
    double *seconds; /* per interval, of the rank at hand */
};

static void add_own(const struct cut_joining *j, const struct sca_finding *f, uint32_t i)
{
    const struct sca_transform *t = &f->transform;
    for (uint32_t k = t->first_cut[i]; k < t->first_cut[i + 1]; k++) {
        double *seconds = &j->seconds[t->cuts[k].interval];
        *seconds = j->nested ? fmax(*seconds, t->cuts[k].seconds) : *seconds + t->cuts[k].seconds;
    }
}

/* The same part of each of its intervals. */
static void add_between(const struct cut_joining *j, const struct sca_finding *f, uint32_t rank)
{
    double taken = 1 - f->transform.factor[rank];
    for (uint32_t g = 0; g < j->m->run->intervals.n; g++)
        if (j->between[g])
            j->seconds[g] = fmax(j->seconds[g], taken * sca_measure_seconds_in(j->m, rank, g));
}

/* Empties the row again. */
static uint32_t write_row(const struct cut_joining *j, struct sca_cut *to)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < j->m->run->intervals.n; g++) {
        if (j->seconds[g] > 0)
            to[n++] = (struct sca_cut){g, j->seconds[g]};
        j->seconds[g] = 0;
    }
    return n;
}

static void write_cuts(struct sca_workspace *space, const struct cut_joining *j,
                       struct sca_finding *draft, const struct sca_finding *other)
{
    uint32_t count = 0, n = j->m->run->intervals.n;
    struct sca_cut *cuts = sca_workspace_alloc(space, (size_t)n * draft->nranks, sizeof *cuts);
    uint32_t *first = sca_workspace_alloc(space, draft->nranks + 1, sizeof *first);
    for (uint32_t i = 0; i < draft->nranks; i++) {
        add_own(j, draft, i);
        if (j->between)
            add_between(j, other, draft->ranks[i]);
        else
            add_own(j, other, i);
        first[i + 1] = count += write_row(j, cuts + count);
    }
    draft->transform.cuts = cuts;
    draft->transform.first_cut = first;
}

void sca_joined_cuts_add(struct sca_workspace *space, const struct sca_measure *m,
                         struct sca_finding *draft, const struct sca_finding *other)
{
    bool is_interval = sca_finding_is_interval(other);
    if (!draft->transform.cuts || (!other->transform.cuts && !is_interval)) {
        draft->transform.cuts = NULL;
        return;
    }
    struct sca_interval_bounds bounds = sca_finding_bounds(other);
    const struct cut_joining j = {
        .m = m,
        .between = is_interval ? sca_interval_bounds_mark(space, m, &bounds) : NULL,
        .seconds = sca_workspace_alloc(space, m->run->intervals.n, sizeof *j.seconds)};
    write_cuts(space, &j, draft, other);
}

void sca_joined_cuts_nest(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_finding *inner, const struct sca_finding *outer)
{
    if (!inner->transform.cuts || !outer->transform.cuts)
        return;
    const struct cut_joining j = {
        .m = m,
        .nested = true,
        .seconds = sca_workspace_alloc(space, m->run->intervals.n, sizeof *j.seconds)};
    write_cuts(space, &j, inner, outer);
}
