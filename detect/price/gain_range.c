#include "price/gain_range.h"
#include "base/degrees.h"
#include "imbalance/equalising.h"
#include "stats/fit.h"
#include "price/what_if.h"

#include <math.h>

/* A window: how often it happened, what windows are compared by, what it saves. */
struct drawn {
    double weight, by, saved;
};

struct sca_gain_ranges {
    struct sca_stage *stage;
    double *measured;    /* per replay of this process: its end with nothing equalised */
    double *computed;    /* likewise: seconds of computation of all ranks */
    struct drawn *drawn; /* of all replays of this process; room for all there can be */
    double duration;     /* of all */
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
    uint32_t most = 0;
    ranges->stage = stage;
    ranges->measured = sca_workspace_alloc(stage->space, stage->nreplays, sizeof *ranges->measured);
    ranges->computed = sca_workspace_alloc(stage->space, stage->nreplays, sizeof *ranges->computed);
    ranges->duration = sca_what_if_level(stage, NULL, 0);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        uint32_t windows = stage->replays[i].trace->windows.count;
        ranges->measured[i] = stage->replays[i].end;
        ranges->computed[i] = computed_in(&stage->replays[i]);
        most += windows ? windows : 1;
    }
    ranges->drawn = sca_workspace_alloc(stage->space, most, sizeof *ranges->drawn);
    return ranges;
}

/* What is taken from all ranks there, of which the whole run's is known exactly. Of what rotates it
 * is not: one window is as good as the other. */
static double compared_by(const struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                          uint32_t i)
{
    const struct sca_replay *replay = &ranges->stage->replays[i];
    return sca_finding_rotates(finding) ? 1 : ranges->computed[i] - computed_in(replay);
}

/* Seconds that a rank has less in some events; what others are given instead, where all take the
 * mean, is no matter. */
static double taken_from(const struct sca_replay *replay, uint32_t rank, uint32_t begin,
                         uint32_t end)
{
    const struct sca_trace *trace = replay->trace;
    const double *before =
        replay->seconds ? replay->seconds + trace->first[rank] : trace->sequences[rank].interval;
    double seconds = 0;
    for (uint32_t i = begin; i < end; i++)
        seconds += fmax(0, before[i] - replay->interval[sca_replay_at(replay, rank, i)]);
    return seconds;
}

/* Adds what is taken from each window, and how often it comes; returns what is taken from all. */
static double add_parts(const struct sca_replay *replay, double *taken, double *times)
{
    const struct sca_trace_windows *of = &replay->trace->windows;
    double all = 0;
    for (uint32_t t = 0; t < of->nparts; t++) {
        double here = 0;
        for (uint32_t r = 0; r < replay->trace->nranks; r++) {
            const uint32_t *begin = of->begin + r * (of->nparts + (size_t)1) + t;
            here += taken_from(replay, r, begin[0], begin[1]);
        }
        taken[of->which[t]] += here;
        times[of->which[t]]++;
        all += here;
    }
    return all;
}

/* Windows that follow each other save together: each its part, by what is taken from it, so that
 * they differ by that alone. Returns how many they are. */
static uint32_t list_sequence(const struct sca_gain_ranges *ranges,
                              const struct sca_finding *finding, uint32_t i, double saved,
                              struct drawn *to)
{
    struct sca_workspace scratch = {.out_of_memory = ranges->stage->space->out_of_memory};
    const struct sca_replay *replay = &ranges->stage->replays[i];
    uint32_t count = replay->trace->windows.count, n = 0;
    double *taken = sca_workspace_alloc(&scratch, count, sizeof *taken);
    double *times = sca_workspace_alloc(&scratch, count, sizeof *times);
    double all = add_parts(replay, taken, times);
    for (uint32_t w = 0; w < count; w++) {
        if (times[w] == 0 || all <= 0)
            continue;
        double here = taken[w] / times[w], by = sca_finding_rotates(finding) ? 1 : here;
        to[n++] = (struct drawn){times[w] * replay->trace->weight, by, saved * here / all};
    }
    sca_workspace_free(&scratch);
    return n;
}

/* All windows of this process; how many. */
static uint32_t list_drawn(const struct sca_gain_ranges *ranges, const struct sca_finding *finding)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ranges->stage->nreplays; i++) {
        const struct sca_trace *trace = ranges->stage->replays[i].trace;
        double saved = ranges->measured[i] - ranges->stage->replays[i].end;
        if (trace->windows.count)
            n += list_sequence(ranges, finding, i, saved, ranges->drawn + n);
        else
            ranges->drawn[n++] =
                (struct drawn){trace->weight, compared_by(ranges, finding, i), saved};
    }
    return n;
}

struct drawn_sums {
    double by, saved, count;
};

/* What stands for itself was not drawn. */
static bool is_drawn(const struct drawn *window)
{
    return window->weight > 1;
}

static struct drawn_sums sum_up(const struct sca_gain_ranges *ranges, uint32_t n)
{
    struct drawn_sums sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        const struct drawn *each = &ranges->drawn[i];
        if (!is_drawn(each))
            continue;
        sum.by += each->weight * each->by;
        sum.saved += each->weight * each->saved;
        sum.count++;
    }
    sca_team_sum(ranges->stage->traces->team, (double *)&sum, sizeof sum / sizeof(double));
    return sum;
}

/* Relative standard deviation of what all windows save; less, the more of a kind were kept. */
static double windows_error(const struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                            double saved)
{
    uint32_t n = list_drawn(ranges, finding);
    struct drawn_sums sum = sum_up(ranges, n);
    double squares = 0;
    for (uint32_t i = 0; i < n && sum.by > 0; i++) {
        const struct drawn *each = &ranges->drawn[i];
        double beyond = each->weight * (each->saved - sum.saved / sum.by * each->by);
        squares += is_drawn(each) ? beyond * beyond * (1 - 1 / each->weight) : 0;
    }
    sca_team_sum(ranges->stage->traces->team, &squares, 1);
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

/* What is saved in the other way of mending it; infinity: there is none. */
static double saved_otherwise(const struct sca_gain_ranges *ranges,
                              const struct sca_finding *finding)
{
    struct sca_stage *stage = ranges->stage;
    const struct sca_finding *other =
        sca_equalising_otherwise(stage->space, finding, stage->m->nranks);
    return other ? ranges->duration - sca_what_if_level(stage, &other, 1) : INFINITY;
}

void sca_gain_ranges_find(struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                          struct sca_gain *gain)
{
    double otherwise = saved_otherwise(ranges, finding);
    double saved = ranges->duration - sca_what_if_level(ranges->stage, &finding, 1);
    gain->low = gain->high = gain->otherwise = gain->gain;
    if (saved <= 0)
        return;
    if (isfinite(otherwise))
        gain->otherwise *= fmax(0, otherwise / saved);
    double error = hypot(sca_finding_error(finding), windows_error(ranges, finding, saved));
    double most = most_saved(ranges, finding, saved) / saved;
    gain->low = gain->gain * fmax(0, 1 - SCA_TWO_SIGMAS * error);
    gain->high = fmin(gain->gain * most * (1 + SCA_TWO_SIGMAS * error),
                      ranges->duration * ranges->stage->m->nranks);
}
