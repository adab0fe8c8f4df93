#include "imbalance/rotating_ranks.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"
#include "stats/poisson.h"

#include <math.h>

/* Windows may show some instances only. Whether so many ranks without one are what chance leaves
 * out when they fall on all ranks alike (draws without replacement: of few the zeros of a Poisson
 * distribution, of all of them none); those of one window follow each other, and are one draw. */
static bool is_on_all(const struct sca_rotating_search *s)
{
    double late = 0, n = s->m->nranks;
    uint32_t without = 0;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        late += s->of.times[r];
        without += s->of.times[r] == 0;
    }
    double drawn = fmin(late, s->of.traces->shown), part = s->of.sum.shown / s->of.sum.rows;
    double expected = part < 1 ? n * pow(1 - part, drawn / (n * part)) : 0;
    return sca_poisson_tail(without, expected) >= SCA_UNLIKELY;
}

void sca_rotating_ranks_name(const struct sca_rotating_search *s, bool has_place,
                             struct sca_finding *c)
{
    uint32_t nranks = s->m->nranks;
    const double *own = s->m->inclusive + (size_t)c->vertex * nranks;
    const double *part = has_place && !s->late ? own : s->of.excess;
    bool all = (!has_place || s->late) && is_on_all(s);
    double mean = sca_over_ranks_mean(part, nranks);
    c->nranks = 0;
    c->ranks = sca_workspace_alloc(s->space, nranks, sizeof *c->ranks);
    for (uint32_t r = 0; r < nranks; r++)
        if (all || part[r] > SCA_RELEVANT * mean)
            c->ranks[c->nranks++] = r;
}
