#include "price/gain_range.h"
#include "base/degrees.h"
#include "imbalance/levelling.h"
#include "stats/fit.h"

#include <math.h>

struct sca_gain_ranges {
    struct sca_stage *stage;
    double *measured; /* per replay of this process: its end with nothing levelled */
    double *computed; /* likewise: seconds of computation of all ranks */
    double *by;       /* likewise: what the windows of the finding at hand are compared by */
    double duration;  /* of all */
};

/* Seconds of computation that are left in a replay. */
static double computed_in(const struct sca_replay *replay)
{
    double seconds = 0;
    for (uint32_t i = 0; i < replay->trace->nevents; i++)
        seconds += replay->interval[i];
    return seconds;
}

struct sca_gain_ranges *sca_gain_ranges_open(struct sca_stage *stage)
{
    struct sca_gain_ranges *ranges = sca_workspace_alloc(stage->space, 1, sizeof *ranges);
    ranges->stage = stage;
    ranges->measured = sca_workspace_alloc(stage->space, stage->nreplays, sizeof *ranges->measured);
    ranges->computed = sca_workspace_alloc(stage->space, stage->nreplays, sizeof *ranges->computed);
    ranges->by = sca_workspace_alloc(stage->space, stage->nreplays, sizeof *ranges->by);
    ranges->duration = sca_what_if_level(stage, NULL, 0);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        ranges->measured[i] = stage->replays[i].end;
        ranges->computed[i] = computed_in(&stage->replays[i]);
    }
    return ranges;
}

/* What windows are compared by: what is taken from all ranks there, of which the whole run's is
 * known exactly. Of what rotates it is not: one is as good as the other. */
static double compared_by(const struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                          uint32_t i)
{
    const struct sca_replay *replay = &ranges->stage->replays[i];
    return sca_finding_rotates(finding) ? 1 : ranges->computed[i] - computed_in(replay);
}

/* Sums over windows that were drawn from several. */
struct drawn {
    double by, saved, count; /* what they are compared by, what they save; how many */
};

static double saved_in(const struct sca_gain_ranges *ranges, uint32_t i)
{
    return ranges->measured[i] - ranges->stage->replays[i].end;
}

static void add_drawn(const struct sca_gain_ranges *ranges, uint32_t i, struct drawn *sum)
{
    const struct sca_trace *trace = ranges->stage->replays[i].trace;
    if (sca_trace_stands_alone(trace))
        return;
    sum->by += trace->weight * ranges->by[i];
    sum->saved += trace->weight * saved_in(ranges, i);
    sum->count++;
}

/* The squared error of what the windows of its kind save: less, the more of them were kept. */
static double squared_error(const struct sca_gain_ranges *ranges, uint32_t i,
                            const struct drawn *sum)
{
    const struct sca_trace *trace = ranges->stage->replays[i].trace;
    if (sca_trace_stands_alone(trace) || sum->by <= 0)
        return 0;
    double usual = sum->saved / sum->by * ranges->by[i];
    return pow(trace->weight * (saved_in(ranges, i) - usual), 2) * (1 - 1 / trace->weight);
}

/* Relative standard deviation of what all windows save. */
static double windows_error(const struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                            double saved)
{
    const struct sca_stage *stage = ranges->stage;
    struct drawn sum = {0};
    double squares = 0;
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        ranges->by[i] = compared_by(ranges, finding, i);
        add_drawn(ranges, i, &sum);
    }
    sca_team_sum(stage->traces->team, (double *)&sum, sizeof sum / sizeof(double));
    for (uint32_t i = 0; i < stage->nreplays; i++)
        squares += squared_error(ranges, i, &sum);
    sca_team_sum(stage->traces->team, &squares, 1);
    return sum.count > 1 ? sqrt(squares * sum.count / (sum.count - 1)) / saved : 0;
}

/* Of what rotates all may save what is taken from the slowest in each step: who comes next there is
 * late by scatter, perhaps of shared cores. */
static double most_saved(const struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                         double saved)
{
    double rotated = ranges->stage->rotated;
    sca_team_sum(ranges->stage->traces->team, &rotated, 1);
    return sca_finding_rotates(finding) ? fmax(saved, rotated) : saved;
}

/* What is saved if its work is still there, but everybody has as much of it. */
static double saved_by_sharing(const struct sca_gain_ranges *ranges,
                               const struct sca_finding *finding)
{
    struct sca_stage *stage = ranges->stage;
    const struct sca_finding *shared =
        sca_levelling_shared_out(stage->space, finding, stage->m->nranks);
    return shared ? ranges->duration - sca_what_if_level(stage, &shared, 1) : INFINITY;
}

void sca_gain_ranges_find(struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                          struct sca_gain *gain)
{
    double sharing = saved_by_sharing(ranges, finding);
    double saved = ranges->duration - sca_what_if_level(ranges->stage, &finding, 1);
    gain->low = gain->high = gain->shared = gain->gain;
    if (saved <= 0)
        return;
    gain->shared *= fmax(0, fmin(1, sharing / saved));
    double error = hypot(sca_finding_error(finding), windows_error(ranges, finding, saved));
    double most = most_saved(ranges, finding, saved) / saved;
    gain->low = gain->gain * fmax(0, 1 - SCA_TWO_SIGMAS * error);
    gain->high = gain->gain * most * (1 + SCA_TWO_SIGMAS * error);
}
