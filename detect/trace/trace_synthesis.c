#include "trace/trace_synthesis.h"
#include "base/degrees.h"
#include "trace/probed.h"
#include "trace/trace_scale.h"
#include "trace/walker.h"

#include <math.h>
#include <string.h>

double sca_trace_synthesis_seconds(const struct sca_part_interval *interval)
{
    return (double)(interval->cpu_ns + interval->blocked_ns) * 1e-9;
}

static bool is_due(const struct sca_transition *transition, uint64_t quota, uint64_t used)
{
    bool kept = transition->onward &&
                transition->used + 1 == transition->quota; /* until nothing else is left */
    return transition->used < transition->quota && !kept &&
           (transition->used + 1) * quota <= (used + 1) * transition->quota;
}

/*
 * The interval to walk next; NULL where all have been walked. In nested loops the most frequent of
 * a call's transitions leads back into the innermost one: it is taken so often between two of the
 * others as is its share, then the same is asked of these. Where two are due, the more frequent
 * comes first, so that inner loops come before the step out of them.
 */
static struct sca_transition *next_transition(struct sca_walker *w, uint32_t site)
{
    struct sca_transition *transition = &w->transitions.list[w->transitions.first[site]],
                          *other = NULL;
    const struct sca_transition *end = &w->transitions.list[w->transitions.first[site + 1]];
    uint64_t quota = w->left[site].quota, used = w->left[site].used;
    for (; transition < end; transition++) {
        quota -= transition->quota;
        used -= transition->used;
        if (is_due(transition, quota, used))
            return transition;
        if (transition->used < transition->quota && (!other || other->onward))
            other = transition;
    }
    return other;
}

static void add_event(struct sca_walker *w, uint32_t site, uint32_t transition)
{
    w->way_of_event[w->sequence->nevents] = transition;
    w->sites[++w->sequence->nevents] = site;
}

/* Of what is left out no time passes. */
static void add_call(struct sca_walker *w, const struct sca_transition *transition)
{
    bool begins = w->thread && !transition->from, ends = w->thread && !transition->to;
    if (ends || (w->left_out && w->left_out[transition->to]))
        return;
    if (!begins && w->sites[w->sequence->nevents] != transition->from)
        add_event(w, transition->from, SCA_NONE);
    add_event(w, transition->to, begins ? SCA_NONE : (uint32_t)(transition - w->transitions.list));
    sca_walker_add_call_ops(w, transition->to);
}

/* All ranks end together, with all their threads: who is done first waits for the last. */
static void add_end(struct sca_walker *w)
{
    static const struct sca_op end = {
        .kind = SCA_OP_COLLECTIVE, .shape = SCA_ALL_TO_ALL, .comm = SCA_COMM_END, .peer = -1};
    add_event(w, SCA_NONE, SCA_NONE);
    sca_walker_add_op(w, &end, SCA_NONE);
}

static void make_room(struct sca_walker *w)
{
    struct sca_event_sequence *sequence = w->sequence;
    size_t most = sequence->nevents + 2, had = sequence->nevents;
    for (uint32_t i = 0; i < w->transitions.n; i++)
        most += (w->left_out ? 2 : 1) * w->transitions.list[i].quota;
    w->sites =
        sca_workspace_grow(w->space, w->sites, had ? had + 1 : 0, most + 1, sizeof *w->sites);
    if (!had)
        w->sites[0] = 0;
    w->way_of_event =
        sca_workspace_grow(w->space, w->way_of_event, had, most, sizeof *w->way_of_event);
    sequence->interval =
        sca_workspace_grow(w->space, sequence->interval, had, most, sizeof *sequence->interval);
}

static void walk_transitions(struct sca_walker *w)
{
    uint32_t at = 0;
    struct sca_transition *transition;
    make_room(w);
    while ((transition = next_transition(w, at))) {
        transition->used++;
        w->left[at].used++;
        add_call(w, transition);
        at = transition->to;
    }
    if (w->rank->present) /* what is not known waits for nobody */
        add_end(w);
}

/* Spreads each interval's exact time over the events walked; returns what no event stands for. */
static double spread_time(struct sca_walker *w)
{
    double lost = 0;
    for (uint32_t i = 0; i < w->transitions.n; i++)
        if (!w->transitions.list[i].used)
            lost += w->transitions.list[i].seconds;
    for (uint32_t i = w->begin; i < w->sequence->nevents; i++) {
        w->sequence->interval[i] = 0;
        if (w->way_of_event[i] == SCA_NONE)
            continue;
        const struct sca_transition *transition = &w->transitions.list[w->way_of_event[i]];
        w->sequence->interval[i] = transition->seconds / w->factor / (double)transition->used;
    }
    return lost;
}

static bool has_calls(const struct sca_walker *w)
{
    for (uint32_t i = 0; i < w->rank->nintervals; i++)
        if (sca_walker_is_of_thread(w, w->rank->intervals[i].site))
            return true;
    for (uint32_t i = 0; i < w->rank->nsites; i++)
        if (sca_walker_is_of_thread(w, w->rank->sites[i].site) && w->rank->sites[i].count)
            return true;
    return false;
}

/* Returns what of the thread's computation no event stands for. */
static double walk_thread(struct sca_walker *w)
{
    sca_walker_collect_transitions(w);
    for (uint32_t i = 0; i < w->transitions.n; i++) {
        w->calls[w->transitions.list[i].to] += w->transitions.list[i].count;
        w->quota[w->transitions.list[i].to] += w->transitions.list[i].quota;
    }
    w->begin = w->sequence->nevents;
    walk_transitions(w);
    for (uint32_t c = 0; c < w->nchannels; c++) {
        w->channel_count[(size_t)w->sequence->nothers * w->nchannels + c] = w->channel_next[c];
        w->channel_next[c] = 0;
    }
    return spread_time(w);
}

static double walk_others(struct sca_walker *w)
{
    double lost = 0;
    for (w->thread = 1; w->thread <= SCA_TRACKS; w->thread++) {
        if (!has_calls(w))
            continue;
        w->others[w->sequence->nothers++] = w->sequence->nevents;
        lost += walk_thread(w);
    }
    w->sequence->others = w->others;
    if (w->sequence->nothers)
        sca_walker_merge_numbers(w);
    return lost;
}

double sca_trace_synthesis_of_rank(const struct sca_walk *walk, struct sca_workspace *space,
                                   uint32_t rank, struct sca_event_sequence *sequence)
{
    const unsigned tables =
        SCA_OPEN_SITES | SCA_OPEN_INTERVALS | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES;
    const struct sca_profile *profile = walk->profile;
    struct sca_walker w = {.space = space,
                           .profile = profile,
                           .factor = walk->factor,
                           .number = rank,
                           .left_out = walk->left_out,
                           .sequence = sequence};
    *sequence = (struct sca_event_sequence){0};
    w.rank = sca_rank_open(walk->opened, rank, tables);
    w.calls = sca_workspace_alloc(space, profile->nsites, sizeof *w.calls);
    w.walked = sca_workspace_alloc(space, profile->nsites, sizeof *w.walked);
    w.quota = sca_workspace_alloc(space, profile->nsites, sizeof *w.quota);
    sca_walker_collect_traffic(&w);
    w.others = sca_workspace_alloc(space, SCA_TRACKS, sizeof *w.others);
    w.channel_count = sca_workspace_alloc(space, (SCA_TRACKS + (size_t)1) * (w.nchannels + 1),
                                          sizeof *w.channel_count);
    double lost = walk_thread(&w) + walk_others(&w);
    sequence->ops = w.ops;
    sequence->sites = w.sites;
    sca_probed_receives(profile, sequence);
    return lost;
}

void sca_trace_synthesis_open(struct sca_workspace *space, const struct sca_profile *profile,
                              struct sca_walk *out)
{
    *out = (struct sca_walk){.profile = profile, .opened = sca_workspace_opened(space, profile)};
    out->factor = sca_trace_scale_factor(space, profile, out->opened);
}

static bool is_certain(const struct sca_rank *rank, uint32_t nsites, double *most)
{
    double all = 0, usual = 0;
    memset(most, 0, nsites * sizeof *most);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *x = &rank->intervals[i];
        all += (double)x->count;
        if (x->previous < nsites)
            most[x->previous] = fmax(most[x->previous], (double)x->count);
    }
    for (uint32_t site = 0; site < nsites; site++)
        usual += most[site];
    return usual >= SCA_NEARLY_ALL * all;
}

bool sca_trace_synthesis_is_certain(struct sca_workspace *space, const struct sca_profile *profile)
{
    struct sca_opened *opened = sca_workspace_opened(space, profile);
    double *working = sca_workspace_alloc(space, profile->nsites, sizeof *working);
    bool certain = true;
    for (uint32_t r = 0; r < profile->nranks && certain; r++)
        certain =
            is_certain(sca_rank_open(opened, r, SCA_OPEN_INTERVALS), profile->nsites, working);
    return certain;
}
