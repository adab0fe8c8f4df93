#include "imbalance/off_cpu_stall.h"
#include "base/degrees.h"

#include <math.h>

/* Where time off the core is booked: the structure around both calls (metrics.c). */
static bool holds(const struct sca_measure *m, const uint32_t *ends, const struct sca_finding *c,
                  const struct sca_call_pair *interval)
{
    struct sca_interval_bounds bounds = sca_finding_bounds(c);
    uint32_t after = m->run->site_vertex[interval->previous];
    uint32_t before = m->run->site_vertex[interval->site];
    if (sca_finding_is_interval(c))
        return sca_interval_bounds_has(m->run, &bounds, interval->previous, interval->site);
    uint32_t around = after == SCA_NONE || before == SCA_NONE
                          ? SCA_NONE
                          : sca_ppg_vertex_between(m->ppg, after, before);
    for (uint32_t k = 0; k < c->nvertices && around != SCA_NONE; k++)
        if (around >= c->vertices[k] && around < ends[c->vertices[k]])
            return true;
    return false;
}

/* The longest time off the core, of one rank: what the longest instance has beyond what one
 * computes on the mean. All its seconds off the core are added. */
static double longest_off(const struct sca_measure *m, const uint32_t *ends,
                          const struct sca_finding *c, uint32_t rank, double *seconds)
{
    double longest = 0;
    struct sca_interval_matrix_row row = sca_interval_matrix_row(&m->matrix, rank);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
        if (!holds(m, ends, c, &m->matrix.of[x->pair]))
            continue;
        *seconds += x->off;
        double computed = (x->seconds - x->off) / (double)x->count;
        longest = fmax(longest, fmin((double)x->longest - computed, x->off));
    }
    return longest;
}

bool sca_off_cpu_stall_is(const struct sca_measure *m, const uint32_t *ends,
                          const struct sca_finding *c, double *seconds)
{
    double single = 0;
    *seconds = 0;
    if (c->category > SCA_CAUSE_SERIAL || sca_finding_rotates(c))
        return false;
    for (uint32_t k = 0; k < c->nranks; k++)
        single += longest_off(m, ends, c, c->ranks[k], seconds);
    return *seconds >= SCA_HALF * c->excess && single >= SCA_HALF * *seconds && *seconds > 0;
}
