#include "price/charge.h"

/* Whether it lies in another of the finding's call paths: recursion. */
static bool is_nested(const uint32_t *ends, const struct sca_finding *finding, uint32_t v)
{
    for (uint32_t k = 0; k < finding->nvertices; k++)
        if (v > finding->vertices[k] && v < ends[finding->vertices[k]])
            return true;
    return false;
}

static void add_below(const struct sca_costs *costs, uint32_t nranks, const uint32_t *ends,
                      const struct sca_finding *finding, uint32_t top, struct sca_charge *out)
{
    for (uint32_t v = top; v < ends[top]; v++)
        for (uint32_t i = 0; i < finding->nranks; i++) {
            size_t cell = (size_t)v * nranks + finding->ranks[i];
            out->cost += costs->of[cell];
            out->direct += costs->direct_of[cell];
        }
}

struct sca_charge sca_charge_of(const struct sca_costs *costs, const struct sca_measure *m,
                                const uint32_t *ends, const struct sca_finding *finding)
{
    struct sca_charge out = {0};
    bool grows = finding->category == SCA_CAUSE_NONSCALABLE || sca_finding_is_of_threads(finding);
    for (uint32_t k = 0; k < finding->nvertices && !grows && !sca_finding_is_interval(finding); k++)
        if (!is_nested(ends, finding, finding->vertices[k]))
            add_below(costs, m->nranks, ends, finding, finding->vertices[k], &out);
    out.indirect = out.cost - out.direct;
    if (grows || finding->category == SCA_CAUSE_COMMUNICATION)
        out.cost += finding->excess;
    return out;
}
