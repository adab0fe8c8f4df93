#include "price/account.h"

#include "base/degrees.h"

#include <math.h>

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 1;
}

/* Of a run whose ranks shared cores the replay's, or what its parts add up to: what is replayed in
 * windows stands for more than it is, and each part is a sum of its own. */
static double virtual_duration(const struct sca_stage *stage)
{
    const struct sca_measure *m = stage->m;
    double parts = m->total + stage->waits + m->other_world.total + stage->transfer;
    return fmax(stage->duration, parts / m->nranks);
}

void sca_account_run(const struct sca_stage *stage, struct sca_account *out)
{
    const struct sca_measure *m = stage->m;
    double most = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        most = fmax(most, m->rank_total[r]);
    *out = (struct sca_account){.ranks = m->nranks, .useful = m->total, .waits = stage->waits};
    out->is_virtual = m->shared;
    double ideal = fmax(stage->ideal, most);
    out->duration = fmax(m->shared ? virtual_duration(stage) : m->wall, most);
    out->base = out->duration * m->nranks;
    /* Estimated from one call in 64: in a run of a moment that may be more than all there was. */
    out->tool = fmin(m->tool_interval, SCA_HALF * out->useful);
    out->other_world = m->other_world.total;
    out->transfer_time = stage->transfer;
    out->rest = out->base - out->useful - out->waits - out->other_world - out->transfer_time;
    out->parallel = ratio(out->useful, out->base);
    out->load_balance = ratio(out->useful, most * fmax(1, m->npresent));
    out->communication = ratio(most, out->duration);
    out->serialisation = fmin(1, ratio(most, ideal));
    out->transfer = fmin(1, ratio(ideal, out->duration));
}

double sca_account_computation(double first, uint32_t first_ranks, double useful, uint32_t ranks,
                               enum sca_scaling mode)
{
    if (mode == SCA_SCALING_WEAK)
        first *= (double)ranks / first_ranks;
    return ratio(first, useful);
}
