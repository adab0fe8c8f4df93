#include "price/smoothing.h"
#include "imbalance/rotating.h"
#include "stats/median.h"

#include <math.h>
#include <string.h>

/* Sums over instances of a rank that are not the program's own, by interval; lateness is what an
 * instance takes beyond the other ranks' in its row. */
struct instance_sums {
    double weight, seconds, lateness; /* as often as they happened */
    double shown, windows;            /* in windows; and in so many of these */
    double late, squares, between; /* lateness: of those, squared, and squared window by window */
    double own;                    /* how many others are the program's */
};

struct smoothing {
    struct sca_stage *stage;
    const struct sca_smoothing_findings *findings;
    struct sca_workspace scratch;
    bool **own;   /* per replay, by place: instances that the program makes long */
    bool *late;   /* per rank: a finding says that it is late somewhere */
    bool *held;   /* [rank * intervals + interval] a finding says that it is late there */
    double *mean; /* likewise: seconds of an instance that is not the program's own */
    struct instance_sums *of; /* per interval, of the rank at hand */
    struct instance_sums *in; /* likewise, in the replay at hand */
    double *usual;            /* per interval: of the middle rank of those that have it */
    double *all, *more; /* likewise, of the rank at hand: seconds, and what of them is excess */
};

/* Number of the interval that an event ends; SCA_NONE: it is none of the run's, or one of those
 * behind a call that are not told apart, and have nothing in common. */
static uint32_t interval_of(const struct sca_stage *stage,
                            const struct sca_event_sequence *sequence, uint32_t i)
{
    const struct sca_intervals *intervals = &stage->m->run->intervals;
    struct sca_trace_event s = sca_trace_event_of(sequence, i);
    uint32_t number = sca_intervals_number(intervals, s.previous, s.site);
    return number == SCA_NONE || intervals->next[number] == SCA_NONE ? SCA_NONE : number;
}

/* ---- what stays ---- */

static bool *own_instances(struct smoothing *e, const struct sca_trace *trace)
{
    const struct sca_finding_list *told = &e->findings->told, *seen = &e->findings->seen;
    const struct sca_stage *stage = e->stage;
    bool *own = sca_workspace_alloc(&e->scratch, trace->nevents, sizeof *own);
    for (uint32_t i = 0; i < told->count; i++)
        sca_rotating_mark(&e->scratch, stage->m, told->items[i], true, trace, own);
    for (uint32_t i = 0; i < seen->count; i++)
        sca_rotating_mark(&e->scratch, stage->m, seen->items[i], false, trace, own);
    return own;
}

static bool is_late_in(const struct sca_stage *stage, const struct sca_finding *f, uint32_t rank,
                       const bool *bounds, uint32_t interval)
{
    return bounds ? bounds[interval]
                  : sca_measure_part_in(stage->m, stage->ends, f->vertices, f->nvertices, rank,
                                        interval) > 0;
}

static void hold(struct smoothing *e, const struct sca_finding *f)
{
    const struct sca_measure *m = e->stage->m;
    uint32_t n = m->run->intervals.n;
    struct sca_interval_bounds bounds = sca_finding_bounds(f);
    const bool *in =
        sca_finding_is_interval(f) ? sca_interval_bounds_mark(&e->scratch, m, &bounds) : NULL;
    for (uint32_t i = 0; i < f->nranks; i++) {
        e->late[f->ranks[i]] = true;
        for (uint32_t g = 0; g < n; g++)
            e->held[(size_t)f->ranks[i] * n + g] |= is_late_in(e->stage, f, f->ranks[i], in, g);
    }
}

/* ---- sums ---- */

static void add_instance(struct instance_sums *to, double seconds, double lateness, double weight)
{
    to->weight += weight;
    to->seconds += weight * seconds;
    to->lateness += weight * lateness;
    to->shown++;
    to->late += lateness;
    to->squares += lateness * lateness;
}

static double lateness_of(const struct sca_event_sequence *sequence, uint32_t i)
{
    return sequence->deviation ? (double)sequence->deviation[i] : 0;
}

/* Of a rank in a replay, into e->in. */
static void sum_window(struct smoothing *e, uint32_t replay, uint32_t rank)
{
    const struct sca_trace *trace = e->stage->replays[replay].trace;
    const struct sca_event_sequence *sequence = &trace->sequences[rank];
    memset(e->in, 0, e->stage->m->run->intervals.n * sizeof *e->in);
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t g = interval_of(e->stage, sequence, i);
        if (g != SCA_NONE && e->own[replay][trace->first[rank] + i])
            e->in[g].own++;
        else if (g != SCA_NONE)
            add_instance(&e->in[g], sequence->interval[i], lateness_of(sequence, i), trace->weight);
    }
}

static void add_window(struct instance_sums *to, const struct instance_sums *in)
{
    to->weight += in->weight;
    to->seconds += in->seconds;
    to->lateness += in->lateness;
    to->shown += in->shown;
    to->late += in->late;
    to->squares += in->squares;
    to->own += in->own;
    to->windows += in->shown > 0;
    to->between += in->shown > 0 ? in->late * in->late / in->shown : 0;
}

/* Of a rank in all replays, into e->of. */
static void sum_rank(struct smoothing *e, uint32_t rank)
{
    uint32_t n = e->stage->m->run->intervals.n;
    memset(e->of, 0, n * sizeof *e->of);
    for (uint32_t i = 0; i < e->stage->nreplays; i++) {
        sum_window(e, i, rank);
        for (uint32_t g = 0; g < n; g++)
            add_window(&e->of[g], &e->in[g]);
    }
    sca_team_sum(e->stage->traces->team, (double *)e->of, n * (sizeof *e->of / sizeof(double)));
}

/* What part of what windows differ by is not chance: 1 less the variance within windows over that
 * between their means. */
static double not_chance(const struct instance_sums *of)
{
    double within = of->shown - of->windows, among = of->windows - 1;
    if (within <= 0 || among <= 0)
        return 0;
    double chance = (of->squares - of->between) / within;
    double variance = (of->between - of->late * of->late / of->shown) / among;
    return variance > 0 ? fmax(0, 1 - chance / variance) : 0;
}

/* ---- intervals ---- */

static void find_means(struct smoothing *e)
{
    uint32_t n = e->stage->m->run->intervals.n, nranks = e->stage->m->nranks;
    double *row = sca_workspace_alloc(&e->scratch, nranks, sizeof *row);
    for (uint32_t r = 0; r < nranks; r++) {
        sum_rank(e, r);
        for (uint32_t g = 0; g < n; g++)
            e->mean[(size_t)r * n + g] =
                e->of[g].weight > 0 ? e->of[g].seconds / e->of[g].weight : 0;
    }
    for (uint32_t g = 0; g < n; g++) {
        uint32_t there = 0;
        for (uint32_t r = 0; r < nranks; r++)
            if (e->mean[(size_t)r * n + g] > 0)
                row[there++] = e->mean[(size_t)r * n + g];
        e->usual[g] = there ? sca_median(row, there) : 0;
    }
}

/* By how much more than on average the rank is late in the window at hand, as far as that is no
 * chance. */
static double moved(const struct smoothing *e, uint32_t g)
{
    const struct instance_sums *of = &e->of[g], *in = &e->in[g];
    return not_chance(of) * (in->late / in->shown - of->lateness / of->weight);
}

static void even_instance(const struct smoothing *e, uint32_t rank, uint32_t g, double *seconds,
                          float *deviation)
{
    size_t cell = (size_t)rank * e->stage->m->run->intervals.n + g;
    *seconds = e->mean[cell];
    *deviation = 0;
    if (!e->held[cell] || e->of[g].own > 0)
        return;
    *seconds = fmax(0, *seconds + moved(e, g));
    *deviation = (float)fmax(0, *seconds - e->usual[g]);
}

static void even_window(struct smoothing *e, uint32_t replay, uint32_t rank)
{
    struct sca_replay *to = &e->stage->replays[replay];
    const struct sca_event_sequence *sequence = &to->trace->sequences[rank];
    double *seconds = to->seconds + to->trace->first[rank];
    float *deviation = to->deviation + to->trace->first[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t g = interval_of(e->stage, sequence, i);
        bool own = g != SCA_NONE && e->own[replay][to->trace->first[rank] + i];
        seconds[i] = own ? sca_shown_of(sequence, i) : sequence->interval[i];
        double late = lateness_of(sequence, i) + seconds[i] - sequence->interval[i];
        deviation[i] = own || !e->stage->m->shared ? (float)fmax(0, late) : 0;
        if (g == SCA_NONE)
            continue;
        if (!own && e->stage->m->shared)
            even_instance(e, rank, g, &seconds[i], &deviation[i]);
        e->all[g] += seconds[i] * to->trace->weight;
        e->more[g] += (double)deviation[i] * to->trace->weight;
    }
}

/* The part of a rank's intervals that is excess. */
static void find_excess(const struct smoothing *e, float *excess)
{
    uint32_t n = e->stage->m->run->intervals.n;
    sca_team_sum(e->stage->traces->team, e->all, n);
    sca_team_sum(e->stage->traces->team, e->more, n);
    for (uint32_t g = 0; g < n; g++)
        excess[g] = e->more[g] > 0 ? (float)(e->more[g] / e->all[g]) : 0;
}

static void even_rank(struct smoothing *e, uint32_t rank, float *excess)
{
    uint32_t n = e->stage->m->run->intervals.n;
    memset(e->all, 0, n * sizeof *e->all);
    memset(e->more, 0, n * sizeof *e->more);
    if (e->late[rank])
        sum_rank(e, rank);
    for (uint32_t i = 0; i < e->stage->nreplays; i++) {
        if (e->late[rank])
            sum_window(e, i, rank);
        even_window(e, i, rank);
    }
    find_excess(e, excess + (size_t)rank * n);
}

static void even_all(struct smoothing *e)
{
    struct sca_stage *stage = e->stage;
    size_t cells = (size_t)stage->m->nranks * stage->m->run->intervals.n;
    float *excess = sca_workspace_alloc(stage->space, cells, sizeof *excess);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        struct sca_replay *replay = &stage->replays[i];
        uint32_t n = replay->trace->nevents;
        replay->seconds = sca_workspace_alloc(stage->space, n, sizeof *replay->seconds);
        replay->deviation = sca_workspace_alloc(stage->space, n, sizeof *replay->deviation);
        replay->excess = excess;
    }
    for (uint32_t r = 0; r < stage->m->nranks; r++)
        even_rank(e, r, excess);
}

static void open_smoothing(struct smoothing *e)
{
    const struct sca_finding_list *late = &e->findings->late;
    uint32_t n = e->stage->m->run->intervals.n;
    size_t cells = (size_t)e->stage->m->nranks * n;
    e->own = sca_workspace_alloc(&e->scratch, e->stage->nreplays, sizeof *e->own);
    e->late = sca_workspace_alloc(&e->scratch, e->stage->m->nranks, sizeof *e->late);
    e->held = sca_workspace_alloc(&e->scratch, cells, sizeof *e->held);
    e->mean = sca_workspace_alloc(&e->scratch, cells, sizeof *e->mean);
    e->of = sca_workspace_alloc(&e->scratch, n, sizeof *e->of);
    e->in = sca_workspace_alloc(&e->scratch, n, sizeof *e->in);
    e->usual = sca_workspace_alloc(&e->scratch, n, sizeof *e->usual);
    e->all = sca_workspace_alloc(&e->scratch, n, sizeof *e->all);
    e->more = sca_workspace_alloc(&e->scratch, n, sizeof *e->more);
    for (uint32_t i = 0; i < e->stage->nreplays; i++)
        e->own[i] = own_instances(e, e->stage->replays[i].trace);
    for (uint32_t i = 0; i < late->count; i++)
        hold(e, late->items[i]);
}

void sca_smoothing_out(struct sca_stage *stage, const struct sca_smoothing_findings *findings)
{
    struct smoothing e = {.stage = stage,
                          .findings = findings,
                          .scratch = {.out_of_memory = stage->space->out_of_memory}};
    open_smoothing(&e);
    if (stage->m->shared)
        find_means(&e);
    even_all(&e);
    sca_workspace_free(&e.scratch);
    stage->even = stage->m->shared;
    stage->nplayed = UINT32_MAX;
    memset(stage->changed, true, stage->m->nranks * sizeof *stage->changed);
}

static void add_scatter(const struct sca_stage *stage, const struct sca_replay *replay,
                        uint32_t rank, double *seconds)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    for (uint32_t i = 0; i < sequence->nevents; i++) {
        uint32_t number = interval_of(stage, sequence, i);
        double mean = replay->interval[sca_replay_at(replay, rank, i)];
        if (number != SCA_NONE)
            seconds[number] += fmax(0, sequence->interval[i] - mean) * replay->trace->weight;
    }
}

uint32_t sca_smoothing_most_uneven(const struct sca_stage *stage)
{
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    uint32_t n = stage->m->run->intervals.n, most = SCA_NONE;
    double *seconds = sca_workspace_alloc(&scratch, n, sizeof *seconds);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        for (uint32_t r = 0; r < stage->m->nranks; r++)
            add_scatter(stage, &stage->replays[i], r, seconds);
    sca_team_sum(stage->traces->team, seconds, n);
    for (uint32_t g = 0; g < n; g++)
        if (seconds[g] > (most == SCA_NONE ? 0 : seconds[most]))
            most = g;
    sca_workspace_free(&scratch);
    return most;
}
