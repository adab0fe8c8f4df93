#include "threads/cutting.h"
#include "stats/median.h"

#include <string.h>

struct sca_cutting sca_cutting_open(struct sca_workspace *space, const struct sca_measure *m)
{
    struct sca_cutting c = {space, m, NULL, NULL};
    c.seconds =
        sca_workspace_alloc(space, (size_t)m->nranks * m->run->intervals.n, sizeof *c.seconds);
    c.whole = sca_workspace_alloc(space, m->nranks, sizeof *c.whole);
    return c;
}

static double *row_of(const struct sca_cutting *c, uint32_t rank)
{
    return c->seconds + (size_t)rank * c->m->run->intervals.n;
}

void sca_cutting_begin(struct sca_cutting *c)
{
    memset(c->seconds, 0, (size_t)c->m->nranks * c->m->run->intervals.n * sizeof *c->seconds);
    memset(c->whole, 0, c->m->nranks * sizeof *c->whole);
}

void sca_cutting_take(struct sca_cutting *c, uint32_t rank, uint32_t interval, double seconds)
{
    row_of(c, rank)[interval] += seconds;
    c->whole[rank] += seconds;
}

/* No rank's more than the median rank has. Returns what is left, of all ranks. */
static double limit_to_common(struct sca_cutting *c)
{
    uint32_t n = c->m->nranks;
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    double *sorted = sca_workspace_alloc(&scratch, n, sizeof *sorted), all = 0;
    memcpy(sorted, c->whole, n * sizeof *sorted);
    double common = sca_median(sorted, n);
    for (uint32_t r = 0; r < n; r++) {
        double part = c->whole[r] > common ? common / c->whole[r] : 1;
        for (uint32_t i = 0; i < c->m->run->intervals.n && part < 1; i++)
            row_of(c, r)[i] *= part;
        c->whole[r] *= part;
        all += c->whole[r];
    }
    sca_workspace_free(&scratch);
    return all;
}

static uint32_t count_cuts(const struct sca_cutting *c)
{
    uint32_t n = 0;
    for (size_t i = 0; i < (size_t)c->m->nranks * c->m->run->intervals.n; i++)
        n += c->seconds[i] > 0;
    return n;
}

static void set_cuts(const struct sca_cutting *c, struct sca_finding *draft)
{
    uint32_t nintervals = c->m->run->intervals.n, n = 0;
    struct sca_cut *cuts = sca_workspace_alloc(c->space, count_cuts(c), sizeof *cuts);
    uint32_t *first = sca_workspace_alloc(c->space, c->m->nranks + 1ul, sizeof *first);
    draft->ranks = sca_workspace_alloc(c->space, c->m->nranks, sizeof *draft->ranks);
    draft->transform.factor =
        sca_workspace_alloc(c->space, c->m->nranks, sizeof *draft->transform.factor);
    for (uint32_t r = 0; r < c->m->nranks; r++) {
        double total = c->m->rank_total[r];
        draft->transform.factor[r] = 1;
        if (c->whole[r] <= 0)
            continue;
        draft->transform.factor[r] = total > c->whole[r] ? 1 - c->whole[r] / total : 0;
        first[draft->nranks] = n;
        draft->ranks[draft->nranks++] = r;
        for (uint32_t i = 0; i < nintervals; i++)
            if (row_of(c, r)[i] > 0)
                cuts[n++] = (struct sca_cut){i, row_of(c, r)[i]};
    }
    first[draft->nranks] = n;
    draft->transform.cuts = cuts;
    draft->transform.first_cut = first;
    draft->transform.alike = true;
}

void sca_cutting_put(struct sca_cutting *c, struct sca_finding draft, double least,
                     struct sca_ledger *out)
{
    draft.excess = limit_to_common(c);
    if (draft.excess < least)
        return;
    draft.nvertices = 1;
    draft.vertices = sca_workspace_alloc(c->space, 1, sizeof *draft.vertices);
    draft.vertices[0] = draft.vertex;
    set_cuts(c, &draft);
    sca_ledger_append(out, &draft);
}
