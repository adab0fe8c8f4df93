#include "price/shortlist.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct shortlisted {
    const struct sca_finding *finding;
    double sum, most; /* what equalising takes from all ranks, from one: seconds */
};

static double removed_from(const struct sca_measure *m, const struct sca_finding *c, uint32_t rank)
{
    return fmax(0, 1 - c->transform.factor[rank]) *
           sca_measure_place_seconds(m, c->vertices, c->nvertices, rank);
}

static bool has_transfers(const struct sca_measure *m, const struct sca_finding *c)
{
    for (uint32_t k = 0; k < c->nvertices; k++)
        if (m->ppg->vertices[c->vertices[k]].kind == SCA_MPI)
            return true;
    return false;
}

static struct shortlisted weigh(const struct sca_measure *m, const struct sca_finding *c)
{
    struct shortlisted e = {c, 0, 0};
    if (!c->transform.factor || has_transfers(m, c)) /* not to be told without a replay */
        return (struct shortlisted){c, INFINITY, INFINITY};
    if (sca_finding_is_interval(c) || sca_finding_is_of_threads(c))
        return (struct shortlisted){c, c->excess, c->excess / (c->nranks ? c->nranks : 1)};
    for (uint32_t r = 0; r < m->nranks; r++) {
        double removed = removed_from(m, c, r);
        e.sum += removed;
        e.most = fmax(e.most, removed);
    }
    return e;
}

static int by_excess(const void *a, const void *b)
{
    double x = ((const struct shortlisted *)a)->finding->excess;
    double y = ((const struct shortlisted *)b)->finding->excess;
    return (x < y) - (x > y);
}

static int by_most(const void *a, const void *b)
{
    double x = ((const struct shortlisted *)a)->most, y = ((const struct shortlisted *)b)->most;
    return x == y ? by_excess(a, b) : (x < y) - (x > y);
}

/* Windows stand for a run only roughly: what may gain half is tried. No run gets shorter by more
 * than what is taken away from its ranks. */
static uint32_t drop_hopeless(const struct sca_measure *m, struct shortlisted *entries, uint32_t n,
                              double least)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (entries[i].sum * m->nranks >= least / 2)
            entries[kept++] = entries[i];
    return kept;
}

uint32_t sca_shortlist(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_finding_list *findings, double least,
                       const struct sca_finding **out)
{
    uint32_t n = findings->count;
    struct shortlisted *entries = sca_workspace_alloc(space, n, sizeof *entries);
    for (uint32_t i = 0; i < n; i++)
        entries[i] = weigh(m, findings->items[i]);
    n = drop_hopeless(m, entries, n, least);
    sca_workspace_put_in_order(space, entries, n, sizeof *entries, by_excess);
    uint32_t first = n < SCA_SHORTLIST / 2 ? n : SCA_SHORTLIST / 2;
    sca_workspace_put_in_order(space, entries + first, n - first, sizeof *entries, by_most);
    n = n < SCA_SHORTLIST ? n : SCA_SHORTLIST;
    for (uint32_t i = 0; i < n; i++)
        out[i] = entries[i].finding;
    return n;
}
