#include "confirm/balanced.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "measure/sides.h"

#include <math.h>

struct balance_search {
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding *c;
    double limit; /* ratio */
    struct sca_workspace *space;
};

/* Of the finding's ranks the mean, not the sum. */
static struct sca_sides compare(const struct balance_search *s, const double *seconds)
{
    struct sca_sides sides = sca_sides_of(s->space, s->m, seconds, s->c->ranks, s->c->nranks);
    sides.named /= s->c->nranks;
    return sides;
}

/* The innermost structure with MPI calls in which the finding's ranks have no more than the
 * others; SCA_NONE if there is none. */
static uint32_t even_around(const struct balance_search *s)
{
    const struct sca_measure *m = s->m;
    for (uint32_t v = s->c->vertex;; v = m->ppg->vertices[v].parent) {
        struct sca_sides all = compare(s, m->inclusive + (size_t)v * m->nranks);
        if (sca_named_place_calls_mpi(m->ppg, s->ends, v) && all.named < s->limit * all.usual)
            return v;
        if (v == 0)
            return SCA_NONE;
    }
}

/* What the others do below a vertex that the finding's ranks do not, or do much less of. */
static double done_instead(const struct balance_search *s, uint32_t around)
{
    const struct sca_measure *m = s->m;
    double seconds = 0;
    for (uint32_t v = around; v < s->ends[around]; v++) {
        struct sca_sides own = compare(s, m->run->comp + (size_t)v * m->nranks);
        if (own.usual > s->limit * own.named)
            seconds += own.usual - own.named;
    }
    return seconds * s->c->nranks;
}

/* The waits decide: work before a barrier and other work after it are as much in sum, and all wait
 * for the one and for the other. */
static bool is_waited_for(const struct balance_search *s, double cost)
{
    return cost >= (s->limit - 1) * s->c->excess;
}

bool sca_balanced_is(struct sca_workspace *space, const struct sca_measure *m, const uint32_t *ends,
                     double threshold, const struct sca_finding *c, double cost)
{
    struct balance_search s = {.m = m, .ends = ends, .c = c, .space = space};
    s.limit = threshold * (m->shared ? 1 + m->noise_level : 1);
    if (sca_finding_rotates(c)) /* each has its turn, and as much to do as the others */
        return !is_waited_for(&s, cost);
    if (sca_finding_is_interval(c) || c->category > SCA_CAUSE_SERIAL || c->nranks == m->npresent ||
        is_waited_for(&s, cost))
        return false;
    uint32_t around = even_around(&s);
    return around != SCA_NONE && done_instead(&s, around) >= SCA_HALF * c->excess;
}
