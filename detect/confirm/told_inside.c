#include "confirm/told_inside.h"
#include "measure/sides.h"

#include <math.h>
#include <string.h>

#define MOST_OF 0.8 /* of the outer place's excess, that the inner one has */

static bool has_place(const struct sca_finding *finding)
{
    return !sca_finding_is_interval(finding) && !sca_finding_rotates(finding) &&
           finding->category <= SCA_CAUSE_SERIAL;
}

static bool on_the_same_ranks(const struct sca_finding *a, const struct sca_finding *b)
{
    return a->nranks == b->nranks && !memcmp(a->ranks, b->ranks, a->nranks * sizeof *a->ranks);
}

static bool is_below(const struct sca_finding *outer, const uint32_t *ends, uint32_t vertex)
{
    for (uint32_t k = 0; k < outer->nvertices; k++)
        if (vertex > outer->vertices[k] && vertex < ends[outer->vertices[k]])
            return true;
    return false;
}

/* What the ranks have too much on the inner one's paths that lie in the outer place. */
static double excess_inside(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, const struct sca_finding *outer,
                            const struct sca_finding *inner)
{
    double excess = 0;
    for (uint32_t k = 0; k < inner->nvertices; k++) {
        const double *row = m->inclusive + (size_t)inner->vertices[k] * m->nranks;
        struct sca_sides sides = sca_sides_of(space, m, row, outer->ranks, outer->nranks);
        if (is_below(outer, ends, inner->vertices[k]))
            excess += fmax(0, sca_sides_excess(&sides, outer->nranks));
    }
    return excess;
}

/* NULL: none tells it. */
static const struct sca_finding *teller_of(struct sca_workspace *space, const struct sca_measure *m,
                                           const uint32_t *ends, const struct sca_ledger *ledger,
                                           const struct sca_finding *outer)
{
    for (uint32_t i = 0; i < ledger->open.count; i++) {
        const struct sca_finding *inner = ledger->open.items[i];
        if (inner != outer && has_place(inner) && on_the_same_ranks(inner, outer) &&
            excess_inside(space, m, ends, outer, inner) >= MOST_OF * outer->excess)
            return inner;
    }
    return NULL;
}

void sca_told_inside_close(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *ends, struct sca_ledger *ledger)
{
    for (uint32_t i = ledger->open.count; i-- > 0;) {
        const struct sca_finding *outer = ledger->open.items[i];
        const struct sca_finding *inner =
            has_place(outer) ? teller_of(space, m, ends, ledger, outer) : NULL;
        if (inner)
            sca_ledger_close(
                ledger, outer,
                (struct sca_outcome){.kind = SCA_OUTCOME_EXPLAINED, .of = inner->number});
    }
}
