#include "price/account.h"

#include "base/degrees.h"

#include <math.h>

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 1;
}

static double beside(const struct sca_stage *stage)
{
    double seconds = 0;
    for (uint32_t r = 0; stage->beside && r < stage->m->nranks; r++)
        seconds += stage->beside[r];
    return seconds;
}

/* Of a run whose ranks shared cores the replay's, or what its parts add up to: what is replayed in
 * windows stands for more than it is, and each part is a sum of its own. */
static double virtual_duration(const struct sca_stage *stage)
{
    const struct sca_measure *m = stage->m;
    double parts = m->total - beside(stage) + stage->waits + m->other_world.total + stage->transfer;
    return fmax(stage->duration, parts / m->nranks + stage->queued);
}

/* What ranks waited for each other outside MPI, but do not in the replay, which has not whom for.
 * Where cores are shared the clock says it times as long as all else took; near the waits that are
 * replayed it is these. */
static double not_replayed(const struct sca_stage *stage)
{
    const struct sca_measure *m = stage->m;
    double seconds = m->shared ? m->awaited * fmin(1, m->on_core) : m->awaited;
    double left = fmax(0, seconds - stage->waits);
    return m->shared && left < SCA_QUARTER * seconds ? 0 : left;
}

/* Sums of what ranks have, and the most that one has; while several of its threads compute, a rank
 * does so once. */
struct most {
    double useful, all; /* all: with what it was blocked */
};

static struct most add_ranks(const struct sca_stage *stage, struct sca_account *out)
{
    const struct sca_measure *m = stage->m;
    struct most most = {0, 0};
    for (uint32_t r = 0; r < m->nranks; r++) {
        double all = m->rank_total[r] - (stage->beside ? stage->beside[r] : 0);
        most.useful = fmax(most.useful, all - m->rank_blocked[r]);
        most.all = fmax(most.all, all);
        out->blocked += m->rank_blocked[r];
    }
    out->useful = m->total - beside(stage) - out->blocked;
    return most;
}

void sca_account_run(const struct sca_stage *stage, struct sca_account *out)
{
    const struct sca_measure *m = stage->m;
    *out = (struct sca_account){.ranks = m->nranks, .waits = stage->waits, .is_virtual = m->shared};
    struct most most = add_ranks(stage, out);
    double awaited = not_replayed(stage), longer = m->shared ? awaited / m->nranks : 0;
    double ideal = fmax(stage->ideal, most.all) + longer;
    out->duration = fmax(m->shared ? virtual_duration(stage) + longer : m->wall, most.all);
    out->base = out->duration * m->nranks;
    /* Estimated from one call in 64: in a run of a moment that may be more than all there was. */
    out->tool = fmin(m->tool_interval, SCA_HALF * out->useful);
    out->other_world = m->other_world.total;
    out->transfer_time = stage->transfer;
    out->rest =
        out->base - out->useful - out->blocked - out->waits - out->other_world - out->transfer_time;
    out->queued = stage->queued * m->nranks;
    out->rest -= out->queued;
    out->awaited = fmax(0, fmin(awaited, out->rest));
    out->rest -= out->awaited;
    out->parallel = ratio(out->useful, out->base);
    out->load_balance = ratio(out->useful, most.useful * fmax(1, m->npresent));
    out->communication = ratio(most.useful, out->duration);
    bool measured = !m->shared || stage->transfer > 0;
    out->serialisation = fmin(1, measured ? ratio(most.useful, ideal) : out->communication);
    out->transfer = measured ? fmin(1, ratio(ideal, out->duration)) : NAN;
}

double sca_account_computation(double first, uint32_t first_ranks, double useful, uint32_t ranks,
                               enum sca_scaling mode)
{
    if (mode == SCA_SCALING_WEAK)
        first *= (double)ranks / first_ranks;
    return ratio(first, useful);
}
