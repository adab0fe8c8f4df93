#include "imbalance/rotating_belief.h"
#include "base/degrees.h"
#include "imbalance/rotating_known.h"
#include "measure/off_cpu.h"
#include "stats/over_ranks.h"

#include <math.h>

/* Instances that are long by the program's doing are so most of the time: fewer are spikes of the
 * machine. Work of its own place may be rare: what a machine does now and then happens anywhere. */
bool sca_rotating_belief_is_the_programs(const struct sca_rotating_search *s, bool has_place)
{
    return s->late || s->of.sum.long_rows >= SCA_HALF * s->of.sum.rows ||
           (has_place && s->of.sum.seconds >= SCA_SEVERAL * s->of.sum.median);
}

/* What one is late by on average, beyond the middle one, explains hardly half of what it costs, as
 * of two ranks that take turns. */
static bool is_even(const struct sca_rotating_search *s)
{
    uint32_t nranks = s->m->nranks;
    double *late = sca_workspace_alloc(s->space, nranks, sizeof *late), most = 0;
    double usual = sca_over_ranks_median(s->of.late, nranks, NULL, late);
    for (uint32_t r = 0; r < nranks; r++)
        most = fmax(most, s->of.late[r] - usual);
    return most * nranks <= (SCA_HALF + SCA_NEGLIGIBLE) * s->of.sum.loss;
}

/* No rank has most of it in the instances that were shown, and none is late all along: windows
 * leave that out. */
bool sca_rotating_belief_moves(const struct sca_rotating_search *s)
{
    return sca_over_ranks_most(s->of.excess, s->m->nranks) <
               SCA_MOST * sca_over_ranks_sum(s->of.excess, s->m->nranks) &&
           (s->late || is_even(s));
}

/* Who waits for a thread of its own on shared cores waits for the scheduler as well. */
bool sca_rotating_belief_is_scheduling(const struct sca_rotating_search *s, uint32_t interval,
                                       double excess)
{
    bool *in = sca_workspace_alloc(s->space, s->m->run->intervals.n, sizeof *in);
    in[interval] = true;
    return s->m->shared && sca_off_cpu(s->space, s->m, in) >= SCA_HALF * excess;
}

/* Where ranks moved between cores, instances on one are longer than on another. */
static bool may_be_the_cores(const struct sca_rotating_search *s)
{
    return s->m->shared && sca_core_use_moves(&s->m->core_use, s->of.excess) &&
           s->of.sum.seconds < SCA_SHARED_HARDWARE * s->of.sum.median;
}

/* What is less than instances on shared cores may scatter is believed if its samples lie in later
 * instances, or if another run has it, which tells the place. */
bool sca_rotating_belief_has(const struct sca_rotating_search *s, bool told, struct sca_finding *c)
{
    if (!may_be_the_cores(s) && (!s->shared || told))
        return true;
    uint32_t vertex = sca_rotating_known_place(s, c->vertex);
    if (vertex != SCA_NONE)
        c->vertex = vertex;
    return vertex != SCA_NONE;
}
