#include "price/what_if.h"
#include "replay/rank_idle.h"
#include "trace/trace_synthesis.h"
#include "base/degrees.h"
#include "price/cuts.h"
#include "price/smoothing.h"
#include "price/shortlist.h"
#include "imbalance/rotating.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double transfer_of(const struct sca_trace *trace)
{
    double seconds = 0;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0; i < trace->sequences[r].nevents; i++)
            seconds += sca_transfer_of(&trace->sequences[r], i) -
                       sca_other_world_of(&trace->sequences[r], i);
    return seconds * trace->weight;
}

/* How much of each vertex is left on this rank. Nested levels do not multiply: the lesser rules. */
static void keep_on_rank(struct sca_stage *stage, const struct sca_finding *const *equalised,
                         uint32_t n, uint32_t rank)
{
    for (uint32_t v = 0; v < stage->m->ppg->nvertices; v++)
        stage->keep[v] = stage->keep_alike[v] = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < equalised[i]->nvertices; k++) {
            if (sca_finding_rotates(equalised[i]) || sca_finding_is_interval(equalised[i]) ||
                sca_finding_cuts(equalised[i]))
                continue;
            uint32_t top = equalised[i]->vertices[k];
            double factor = equalised[i]->transform.factor[rank];
            for (uint32_t v = top; v < stage->ends[top]; v++) {
                stage->keep[v] = fmin(stage->keep[v], factor);
                if (equalised[i]->transform.alike)
                    stage->keep_alike[v] = fmin(stage->keep_alike[v], factor);
            }
        }
}

/*
 * `kept` and `kept_alike` are parts of the computation in an interval; `excess` the part that
 * instances have beyond the other ranks' in the same instance. What is equalised is taken from the
 * excess first, so that a step which takes long once in a while is the one that gets shorter.
 */
static void set_level(struct sca_level *level, double kept, double kept_alike, double excess)
{
    double skewed = fmax(0, kept_alike - kept), rest = fmax(0, skewed - excess * kept_alike);
    level->usual = level->excess = (float)kept_alike;
    if (excess > 0)
        level->excess = (float)(kept_alike - fmin(kept_alike, skewed / excess));
    if (rest > 0 && excess < 1)
        level->usual = (float)(kept_alike - rest / (1 - excess));
}

/* What findings of intervals leave of the computation between two calls. */
static double keep_between(const struct sca_stage *stage,
                           const struct sca_finding *const *equalised, uint32_t n, uint32_t rank,
                           uint32_t previous, uint32_t site)
{
    double keep = 1;
    for (uint32_t i = 0; i < n; i++) {
        struct sca_interval_bounds bounds = sca_finding_bounds(equalised[i]);
        if (sca_finding_is_interval(equalised[i]) &&
            sca_interval_bounds_has(stage->m->run, &bounds, previous, site))
            keep = fmin(keep, equalised[i]->transform.factor[rank]);
    }
    return keep;
}

static void level_interval(struct sca_stage *stage, uint32_t rank, uint32_t interval, double most,
                           double transfer)
{
    const struct sca_ppg_run *run = stage->m->run;
    const float *excess = stage->nreplays ? stage->replays[0].excess : NULL;
    size_t cell = (size_t)rank * run->intervals.n + interval;
    double all = 0, kept = 0, alike = 0;
    for (uint32_t i = run->first_share[cell]; i < run->first_share[cell + 1]; i++) {
        const struct sca_ppg_share *share = &run->shares[i];
        all += share->seconds;
        kept += share->seconds * stage->keep[share->vertex];
        alike += share->seconds * stage->keep_alike[share->vertex];
    }
    stage->levels[interval] = (struct sca_level){1, 1, (float)transfer};
    if (all <= 0)
        return;
    double late = excess ? excess[cell] : 0;
    kept = fmax(0, fmin(kept / all, most)) * fmax(0, 1 - stage->cuts[interval] / all);
    /* smoothed, only instances that are long now and then have any */
    alike = stage->even && late > 0 ? 1 : fmax(0, alike / all);
    set_level(&stage->levels[interval], kept, alike, late);
}

static void level_intervals(struct sca_stage *stage, const struct sca_finding *const *equalised,
                            uint32_t n, uint32_t rank)
{
    const struct sca_ppg_run *run = stage->m->run;
    for (uint32_t s = 0; s < run->intervals.nsites; s++) {
        uint32_t v = run->site_vertex[s];
        for (uint32_t interval = run->intervals.first[s]; interval < run->intervals.first[s + 1];
             interval++)
            level_interval(
                stage, rank, interval,
                keep_between(stage, equalised, n, rank, s, run->intervals.next[interval]),
                v != SCA_NONE ? stage->keep[v] : 1);
    }
}

static double equalised_interval(const struct sca_stage *stage, const struct sca_replay *replay,
                                 uint32_t rank, uint32_t i)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    struct sca_trace_event s = sca_trace_event_of(sequence, i);
    double seconds = sca_replay_seconds(replay, rank, i);
    double excess = sca_replay_excess(replay, rank, i);
    uint32_t number = sca_intervals_number(&stage->m->run->intervals, s.previous, s.site);
    if (number == SCA_NONE)
        return seconds;
    const struct sca_level *level = &stage->levels[number];
    double away = sca_other_world_of(sequence, i);
    return (seconds - excess) * level->usual + excess * level->excess +
           (sca_transfer_of(sequence, i) - away) * level->transfer + away;
}

static void level_sequence(const struct sca_stage *stage, struct sca_replay *replay, uint32_t rank)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        double *interval = &replay->interval[sca_replay_at(replay, rank, i)];
        double equalised = equalised_interval(stage, replay, rank, i);
        replay->stale |= *interval != equalised;
        *interval = equalised;
    }
}

static bool takes_away(const struct sca_finding *const *equalised, uint32_t n, uint32_t rank)
{
    for (uint32_t i = 0; i < n; i++)
        if (!sca_finding_rotates(equalised[i]) && equalised[i]->transform.factor[rank] < 1)
            return true;
    return false;
}

static void level_rank(struct sca_stage *stage, const struct sca_finding *const *equalised,
                       uint32_t n, uint32_t rank, bool instant)
{
    uint32_t nintervals = stage->m->run->intervals.n;
    bool taken = takes_away(equalised, n, rank);
    if (!taken && !instant && !stage->changed[rank])
        return;
    stage->changed[rank] = taken || instant;
    if (taken) {
        keep_on_rank(stage, equalised, n, rank);
        memset(stage->cuts, 0, nintervals * sizeof *stage->cuts);
        sca_cuts_add(stage->space, stage->ends, equalised, n, rank, stage->cuts);
        level_intervals(stage, equalised, n, rank);
    } else {
        for (uint32_t g = 0; g < nintervals; g++)
            stage->levels[g] = (struct sca_level){1, 1, 1};
    }
    for (uint32_t g = 0; g < nintervals && instant; g++)
        stage->levels[g].transfer = 0;
    for (uint32_t i = 0; i < stage->nreplays; i++)
        level_sequence(stage, &stage->replays[i], rank);
}

/* Steps of all ranks may have changed. */
static void level_rotating(struct sca_stage *stage, const struct sca_finding *finding)
{
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        struct sca_replay *replay = &stage->replays[i];
        stage->rotated += sca_rotating_level(stage->space, finding, replay) * replay->trace->weight;
        replay->stale = true;
    }
    memset(stage->changed, true, stage->m->nranks * sizeof *stage->changed);
}

static void level_ranks(struct sca_stage *stage, const struct sca_finding *const *equalised,
                        uint32_t n, bool instant)
{
    for (uint32_t r = 0; r < stage->m->nranks; r++)
        level_rank(stage, equalised, n, r, instant);
}

/* Of the rank that computes most. */
static double computed_by_one(const struct sca_replay *replay)
{
    double most = 0;
    for (uint32_t r = 0; r < replay->trace->nranks; r++) {
        double seconds = 0;
        for (uint32_t i = 0; i < replay->trace->sequences[r].nevents; i++)
            seconds += replay->interval[sca_replay_at(replay, r, i)];
        most = fmax(most, seconds);
    }
    return most;
}

/* Per replay: what a rank has to compute in any case. Ranks that do at the same time what they did
 * in turn have no less of it, though the path through them has. NULL: none of these does that. */
static double *least_ends(struct sca_stage *stage, struct sca_workspace *scratch,
                          const struct sca_finding *const *equalised, uint32_t n, bool instant)
{
    const struct sca_finding **rest = sca_workspace_alloc(scratch, n + 1ul, sizeof *rest);
    uint32_t nrest = 0;
    for (uint32_t k = 0; k < n; k++)
        if (equalised[k]->category != SCA_CAUSE_SERIAL || !equalised[k]->transform.alike)
            rest[nrest++] = equalised[k];
    if (nrest == n)
        return NULL;
    double *ends = sca_workspace_alloc(scratch, stage->nreplays + 1ul, sizeof *ends);
    level_ranks(stage, rest, nrest, instant);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        ends[i] = computed_by_one(&stage->replays[i]);
    return ends;
}

/* `instant`: as if transfers took no time. */
static double play(struct sca_stage *stage, const struct sca_finding *const *equalised, uint32_t n,
                   bool instant)
{
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    double duration = stage->rotated = 0;
    const double *least = least_ends(stage, &scratch, equalised, n, instant);
    level_ranks(stage, equalised, n, instant);
    for (uint32_t k = 0; k < n; k++)
        if (sca_finding_rotates(equalised[k]))
            level_rotating(stage, equalised[k]);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        struct sca_replay *replay = &stage->replays[i];
        if (replay->stale)
            sca_replay_run(replay);
        if (least)
            replay->end = fmax(replay->end, least[i]);
        duration += replay->end * replay->trace->weight;
    }
    sca_workspace_free(&scratch);
    sca_team_sum(stage->traces->team, &duration, 1);
    return duration;
}

static bool stands_at(const struct sca_stage *stage, const struct sca_finding *const *equalised,
                      uint32_t n)
{
    uint32_t found = 0;
    if (stage->nplayed != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            found += stage->played[i] == equalised[k];
    return found == n;
}

/* Replays have a core for each rank. */
static double queued_with(const struct sca_stage *stage, const struct sca_finding *const *equalised,
                          uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (equalised[i]->category == SCA_CAUSE_BINDING)
            return 0;
    return stage->queued;
}

double sca_what_if_level(struct sca_stage *stage, const struct sca_finding *const *equalised,
                         uint32_t n)
{
    if (stands_at(stage, equalised, n))
        return stage->played_duration;
    stage->nplayed = n <= SCA_SHORTLIST ? n : UINT32_MAX;
    for (uint32_t i = 0; i < n && n <= SCA_SHORTLIST; i++)
        stage->played[i] = equalised[i];
    stage->played_duration = play(stage, equalised, n, false) + queued_with(stage, equalised, n);
    return stage->played_duration;
}

void sca_what_if_even(struct sca_stage *stage, const struct sca_smoothing_findings *findings)
{
    sca_smoothing_out(stage, findings);
    sca_what_if_level(stage, NULL, 0);
}

static double without_transfer(struct sca_stage *stage)
{
    stage->nplayed = UINT32_MAX;
    return play(stage, NULL, 0, true);
}

static double count_steps(const struct sca_traces *traces)
{
    double events = 0; /* exact in a double */
    for (uint32_t i = 0; i < traces->count; i++)
        events += traces->traces[i].nevents;
    sca_team_sum(traces->team, &events, 1);
    return events;
}

/* Returns how many calls of all traces were forced; above `most` there may be no replay. */
static uint64_t open_all(struct sca_traces *traces, struct sca_replay_links *const *links,
                         uint64_t most, struct sca_stage *out)
{
    double forced = 0;
    for (uint32_t i = 0; i < traces->count && forced <= (double)most; i++) {
        sca_replay_open(&traces->space, &traces->traces[i], links[i], most, &out->replays[i]);
        forced += (double)out->replays[i].forced;
    }
    sca_team_sum(traces->team, &forced, 1);
    return (uint64_t)forced;
}

static void open_replays(struct sca_traces *traces, struct sca_workspace *ops,
                         struct sca_stage *out)
{
    struct sca_workspace scratch = {.out_of_memory = traces->space.out_of_memory};
    struct sca_replay_links **links = sca_workspace_alloc(&scratch, traces->count, sizeof *links);
    double events = count_steps(traces);
    /* beyond this the messages do not fit together */
    uint64_t most = (uint64_t)(SCA_NEGLIGIBLE * (events + 1));
    out->events = (uint64_t)events;
    out->replays = sca_workspace_alloc(&traces->space, traces->count, sizeof *out->replays);
    for (uint32_t i = 0; i < traces->count; i++)
        links[i] = sca_links_build(&scratch, &traces->traces[i]);
    sca_workspace_free(ops);
    out->forced = open_all(traces, links, most, out);
    if (out->forced > most) {
        out->without_messages = true;
        for (uint32_t i = 0; i < traces->count; i++)
            sca_links_drop_messages(links[i]);
        out->forced = open_all(traces, links, UINT64_MAX, out);
    }
    sca_workspace_free(&scratch);
    malloc_trim(0);
}

/* Windows are of the first thread: what others take between their calls is beside all of it. */
static void add_unshown_threads(struct sca_stage *stage)
{
    const struct sca_profile *profile = stage->m->run->profile;
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    struct sca_opened *opened = NULL;
    for (uint32_t s = 0; s < profile->nsites && !opened; s++)
        opened = profile->sites[s].thread ? sca_workspace_opened(&scratch, profile) : NULL;
    for (uint32_t r = 0; opened && r < stage->m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (profile->sites[rank->intervals[i].site].thread)
                stage->beside[r] += sca_trace_synthesis_seconds(&rank->intervals[i]);
    }
    sca_workspace_free(&scratch);
}

/* Waits of all ranks in the replays as they stand, and what their threads compute side by side. */
static void add_waits(struct sca_stage *stage)
{
    uint32_t nranks = stage->m->nranks;
    stage->waits = 0;
    stage->beside = sca_workspace_alloc(stage->space, nranks, sizeof *stage->beside);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
        double weight = stage->replays[i].trace->weight;
        struct sca_rank_idle idle = sca_rank_idle_find(&scratch, &stage->replays[i]);
        stage->waits += idle.sum * weight;
        for (uint32_t r = 0; idle.beside && r < nranks; r++)
            stage->beside[r] += idle.beside[r] * weight;
        sca_workspace_free(&scratch);
    }
    sca_team_sum(stage->traces->team, &stage->waits, 1);
    sca_team_sum(stage->traces->team, stage->beside, nranks);
    if (stage->traces->recorded)
        add_unshown_threads(stage);
}

/* No more than the clock says beyond the replay. */
static void add_queued(struct sca_stage *stage)
{
    const struct sca_measure *m = stage->m;
    stage->queued = fmin(m->core_waits.longest, fmax(0, m->wall - stage->duration));
    stage->duration += stage->queued;
    stage->played_duration += stage->queued;
}

void sca_what_if_open(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ends, struct sca_traces *traces, struct sca_workspace *ops,
                      struct sca_stage *out)
{
    *out = (struct sca_stage){.space = space, .m = m, .ends = ends, .traces = traces};
    out->nreplays = traces->count;
    out->lost = traces->lost;
    out->levels = sca_workspace_alloc(space, m->run->intervals.n, sizeof *out->levels);
    out->cuts = sca_workspace_alloc(space, m->run->intervals.n, sizeof *out->cuts);
    out->played = sca_workspace_alloc(space, SCA_SHORTLIST, sizeof *out->played);
    out->nplayed = UINT32_MAX;
    out->changed = sca_workspace_alloc(space, m->nranks, sizeof *out->changed);
    memset(out->changed, true, m->nranks * sizeof *out->changed);
    out->keep = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *out->keep);
    out->keep_alike = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *out->keep_alike);
    open_replays(traces, ops, out);
    for (uint32_t i = 0; i < traces->count; i++)
        out->transfer += transfer_of(&traces->traces[i]);
    sca_team_sum(traces->team, &out->transfer, 1);
    if (out->transfer > 0)
        out->ideal = without_transfer(out);
    out->duration = sca_what_if_level(out, NULL, 0);
    if (out->transfer <= 0)
        out->ideal = out->duration;
    add_queued(out);
    add_waits(out);
}
