#include "report/cause_parts.h"
#include "base/degrees.h"

#include <math.h>

struct excess {
    double seconds, samples; /* samples: of the cause's ranks, without which others' would tell */
};

/* Adds what a rank has between the two calls by vertex; of one that is not named `other` times. */
static void add_rank(const struct sca_ppg_run *run, const bool *on, uint32_t rank, bool named,
                     double other, struct excess *excess)
{
    const uint32_t *first = run->first_share + (size_t)rank * run->intervals.n;
    for (uint32_t i = 0; i < run->intervals.n; i++)
        for (uint32_t k = first[i]; on[i] && k < first[i + 1]; k++) {
            struct excess *to = &excess[run->shares[k].vertex];
            to->seconds += (named ? 1 : other) * run->shares[k].seconds;
            to->samples += named ? (double)run->shares[k].samples : 0;
        }
}

/* By vertex: what the cause's ranks have beyond as many times the mean of the others. */
static struct excess *find_excess(const struct sca_analysis *c, const struct sca_finding *cause)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_interval_bounds bounds = sca_finding_bounds(cause);
    const bool *on = sca_interval_bounds_mark(c->space, m, &bounds);
    struct excess *excess = sca_workspace_alloc(c->space, c->ppg->nvertices, sizeof *excess);
    uint32_t nothers = m->nranks - cause->nranks;
    double other = nothers ? -(double)cause->nranks / nothers : 0;
    for (uint32_t r = 0, k = 0; r < m->nranks; r++) {
        bool named = k < cause->nranks && cause->ranks[k] == r;
        k += named;
        add_rank(m->run, on, r, named, other, excess);
    }
    return excess;
}

/* Keeps the largest; `n` are there. */
static uint32_t keep(struct sca_cause_part *out, uint32_t n, struct sca_cause_part part)
{
    uint32_t at = n < SCA_MOST_PARTS ? n : SCA_MOST_PARTS - 1;
    if (n == SCA_MOST_PARTS && out[at].excess >= part.excess)
        return n;
    for (; at && out[at - 1].excess < part.excess; at--)
        out[at] = out[at - 1];
    out[at] = part;
    return n < SCA_MOST_PARTS ? n + 1 : n;
}

uint32_t sca_cause_parts_find(const struct sca_analysis *c, const struct sca_finding *cause,
                              struct sca_cause_part *out, double *all)
{
    uint32_t n = 0;
    *all = 0;
    if (!sca_finding_is_between(cause) || cause->interval.core.on < cause->interval.core.off)
        return 0;
    const struct excess *excess = find_excess(c, cause);
    for (uint32_t v = 0; v < c->ppg->nvertices; v++)
        *all += fmax(0, excess[v].seconds);
    for (uint32_t v = 0; v < c->ppg->nvertices; v++)
        if (excess[v].samples > 0 && excess[v].seconds > 0 &&
            excess[v].seconds >= SCA_RELEVANT * *all)
            n = keep(out, n, (struct sca_cause_part){v, excess[v].seconds});
    return n == 1 && out[0].vertex == cause->vertex ? 0 : n;
}
