#include "trace/trace_synthesis.h"
#include "base/degrees.h"
#include "trace/trace_scale.h"
#include "trace/call_sequence.h"
#include "trace/probed.h"

#include <math.h>
#include <string.h>

/* Of all ranks together, for what comes round less than once: where there are very many, what leads
 * back from a step's last call to its first is left out, for it takes a second round. */
enum { SPARE_STEPS = 1000000 };

double sca_trace_synthesis_seconds(const struct sca_part_interval *interval)
{
    return (double)(interval->cpu_ns + interval->blocked_ns) * 1e-9;
}

struct record { /* a peer or collective record of a site */
    uint32_t site, comm;
    int32_t peer;
    uint32_t kind;        /* enum sca_op_kind */
    int shape;            /* of a collective */
    uint64_t count, used; /* count: that the walk has */
    uint32_t channel;     /* traffic of equal channel shares a counter */
};

struct walker {
    struct sca_workspace *space;
    const struct sca_profile *profile;
    const struct sca_rank *rank;
    double factor;
    const bool *left_out;               /* per site; NULL: none */
    struct sca_transitions transitions; /* the intervals */
    struct record *traffic;
    uint32_t ntraffic, *traffic_first; /* by site */
    uint32_t nchannels;
    uint64_t *channel_next;  /* of the thread at hand, */
    uint64_t *channel_count; /* [thread * nchannels + channel] and of those that were walked */
    uint64_t *calls, *quota; /* per site: real ones, and those the walk makes */
    uint64_t *walked;        /* of these, so far */
    struct {
        uint64_t quota, used;
    } *left; /* per site: sums over the transitions out of it */
    struct sca_event_sequence *sequence;
    uint32_t thread, begin; /* at hand; its first event */
    uint32_t *others;       /* the sequence's */
    uint32_t *sites;        /* the sequence's */
    uint32_t *way_of_event;
    struct sca_replay_trace_op *ops; /* the sequence's */
    uint32_t *channel_of_op;
    uint32_t op_capacity;
};

static int by_channel(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->comm != y->comm)
        return x->comm < y->comm ? -1 : 1;
    if (x->kind == SCA_OP_COLLECTIVE)
        return 0; /* collectives of a communicator are counted together */
    return (x->peer > y->peer) - (x->peer < y->peer);
}

static int by_channel_of(const void *a, const void *b)
{
    return by_channel(*(const struct record *const *)a, *(const struct record *const *)b);
}

static int by_site(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    return (x->channel > y->channel) - (x->channel < y->channel);
}

static bool is_of_thread(const struct walker *w, uint32_t site)
{
    return site < w->profile->nsites && w->profile->sites[site].thread == w->thread;
}

static void add_transition(struct walker *w, uint32_t from, uint32_t to, uint64_t count,
                           double seconds)
{
    if (count)
        w->transitions.list[w->transitions.n++] =
            (struct sca_transition){.from = from, .to = to, .count = count, .seconds = seconds};
}

/* Another thread than the first begins at a call that it leaves more often than it comes to it, or
 * at the first known, if it ends there; those that followed each other begin anew. */
static void add_begins(struct walker *w, const uint64_t *come, const uint64_t *left)
{
    uint32_t nsites = w->profile->nsites, first = SCA_NONE;
    uint64_t begins = 0;
    for (uint32_t s = nsites; s-- > 1;)
        if (is_of_thread(w, s) && (come[s] || left[s])) {
            uint64_t n = left[s] > come[s] ? left[s] - come[s] : 0;
            add_transition(w, 0, s, n, 0);
            add_transition(w, s, 0, come[s] > left[s] ? come[s] - left[s] : 0, 0);
            begins += n;
            first = s;
        }
    if (!begins && first != SCA_NONE)
        add_transition(w, 0, first, 1, 0);
}

/* Threads that made no more than one call each. */
static void add_single_calls(struct walker *w, uint64_t *come, uint64_t *left)
{
    for (uint32_t i = 0; i < w->rank->nsites; i++) {
        const struct sca_site_total *total = &w->rank->sites[i];
        uint32_t s = total->site;
        if (!is_of_thread(w, s) || come[s] || left[s] ||
            w->traffic_first[s] == w->traffic_first[s + 1])
            continue;
        add_transition(w, 0, s, total->count, 0);
        add_transition(w, s, 0, total->count, 0);
    }
}

static void add_intervals(struct walker *w, uint64_t *come, uint64_t *left)
{
    for (uint32_t i = 0; i < w->rank->nintervals; i++) {
        const struct sca_part_interval *x = &w->rank->intervals[i];
        if (!is_of_thread(w, x->site))
            continue;
        add_transition(w, x->previous, x->site, x->count, sca_trace_synthesis_seconds(x));
        come[x->site] += x->count;
        left[x->previous] += x->count;
    }
}

static void collect_transitions(struct walker *w)
{
    struct sca_transitions *transitions = &w->transitions;
    uint32_t nsites = w->profile->nsites;
    uint64_t *come = sca_workspace_alloc(w->space, nsites, sizeof *come);
    uint64_t *left = sca_workspace_alloc(w->space, nsites, sizeof *left);
    size_t most = w->rank->nintervals + (w->thread ? 2 * (size_t)nsites + 1 : 0);
    *transitions = (struct sca_transitions){
        .nsites = nsites, .list = sca_workspace_alloc(w->space, most, sizeof *transitions->list)};
    add_intervals(w, come, left);
    if (w->thread) {
        add_begins(w, come, left);
        add_single_calls(w, come, left);
    }
    sca_call_sequence_shorten(w->space, transitions, w->factor, SPARE_STEPS / w->profile->nranks);
    w->left = sca_workspace_alloc(w->space, transitions->nsites, sizeof *w->left);
    for (uint32_t i = 0; i < transitions->n; i++)
        w->left[transitions->list[i].from].quota += transitions->list[i].quota;
}

/*
 * Who shortens what it sends as who receives it, by count alone, finds the same number of messages.
 * One more or less, and each receive from there on would wait for the message after its own, whose
 * sender waits for ours.
 */
static uint64_t shortened(const struct walker *w, uint64_t count)
{
    uint64_t kept = sca_trace_scale_count(count, w->factor);
    return count && !kept ? 1 : kept;
}

static void add_traffic(struct walker *w, uint32_t site, uint32_t comm, int32_t peer, uint32_t kind,
                        int shape, uint64_t count)
{
    if (count)
        w->traffic[w->ntraffic++] = (struct record){site, comm, peer, kind, shape, count, 0, 0};
}

static void number_channels(struct walker *w)
{
    struct record **list = sca_workspace_alloc(w->space, w->ntraffic, sizeof(struct record *));
    for (uint32_t i = 0; i < w->ntraffic; i++)
        list[i] = &w->traffic[i];
    sca_workspace_put_in_order(w->space, list, w->ntraffic, sizeof *list, by_channel_of);
    for (uint32_t i = 1; i < w->ntraffic; i++)
        list[i]->channel = list[i - 1]->channel + (by_channel(list[i], list[i - 1]) != 0);
    w->nchannels = w->ntraffic ? list[w->ntraffic - 1]->channel + 1 : 0;
    w->channel_next = sca_workspace_alloc(w->space, (size_t)w->nchannels + 1, sizeof(uint64_t));
}

static void collect_traffic(struct walker *w)
{
    const struct sca_rank *rank = w->rank;
    uint32_t nsites = w->profile->nsites;
    w->traffic = sca_workspace_alloc(w->space, (size_t)rank->npeers + rank->ncollectives,
                                     sizeof *w->traffic);
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (p->peer >= 0)
            add_traffic(w, p->site, p->comm, p->peer,
                        p->direction == SCA_SENT ? SCA_OP_SEND : SCA_OP_RECV, 0,
                        shortened(w, p->count));
    }
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        const struct sca_part_collective *c = &rank->collectives[i];
        int shape = sca_collective_shape(w->profile->sites[c->site].function);
        int lock = sca_lock_shape(w->profile->sites[c->site].function);
        if (shape >= 0 || lock >= 0)
            add_traffic(w, c->site, c->comm, c->root, lock >= 0 ? SCA_OP_LOCK : SCA_OP_COLLECTIVE,
                        lock >= 0 ? lock : shape, c->count);
    }
    number_channels(w);
    sca_workspace_put_in_order(w->space, w->traffic, w->ntraffic, sizeof *w->traffic, by_site);
    w->traffic_first = sca_workspace_alloc(w->space, (size_t)nsites + 1, sizeof(uint32_t));
    for (uint32_t s = 0, t = 0; s <= nsites; s++) {
        while (t < w->ntraffic && w->traffic[t].site < s)
            t++;
        w->traffic_first[s] = t;
    }
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
static struct sca_transition *next_transition(struct walker *w, uint32_t site)
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

/* Of the event walked last. */
static void add_op(struct walker *w, const struct sca_op *op, uint32_t channel)
{
    struct sca_event_sequence *sequence = w->sequence;
    if (sequence->nops == w->op_capacity) {
        w->op_capacity = w->op_capacity ? w->op_capacity * 2 : 64;
        w->ops =
            sca_workspace_grow(w->space, w->ops, sequence->nops, w->op_capacity, sizeof *w->ops);
        w->channel_of_op = sca_workspace_grow(w->space, w->channel_of_op, sequence->nops,
                                              w->op_capacity, sizeof *w->channel_of_op);
    }
    w->channel_of_op[sequence->nops] = channel;
    w->ops[sequence->nops++] = sca_replay_trace_op(w->profile, w->rank, op, sequence->nevents - 1);
}

static void add_traffic_op(struct walker *w, struct record *t)
{
    struct sca_op op = {.kind = (uint8_t)t->kind,
                        .shape = (uint8_t)t->shape,
                        .comm = t->comm,
                        .peer = t->peer,
                        .number = w->channel_next[t->channel]++};
    t->used++;
    add_op(w, &op, t->channel);
}

/* Traffic of one kind that this call owes: its count, spread evenly over so many of the site's
 * calls; each time to the peer that lags furthest behind. */
static void pay(struct walker *w, struct record *t, uint32_t n, uint64_t calls, uint64_t walked)
{
    uint64_t count = 0, paid = 0;
    for (uint32_t i = 0; i < n; i++) {
        count += t[i].count;
        paid += t[i].used;
    }
    uint64_t due = (uint64_t)llround((double)count / (double)calls * (double)walked);
    for (; paid < due; paid++) {
        struct record *best = &t[0];
        for (uint32_t i = 1; i < n; i++)
            if (((double)t[i].used + 1) / (double)t[i].count <
                ((double)best->used + 1) / (double)best->count - 1e-12)
                best = &t[i];
        add_traffic_op(w, best);
    }
}

static void add_call_ops(struct walker *w, uint32_t site)
{
    uint32_t end = w->traffic_first[site + 1];
    w->walked[site]++;
    for (uint32_t i = w->traffic_first[site]; i < end;) {
        uint32_t n = 1;
        while (i + n < end && w->traffic[i + n].kind == w->traffic[i].kind)
            n++;
        bool all = w->traffic[i].kind >= SCA_OP_COLLECTIVE;
        pay(w, w->traffic + i, n, (all ? w->calls : w->quota)[site], w->walked[site]);
        i += n;
    }
}

static void add_event(struct walker *w, uint32_t site, uint32_t transition)
{
    w->way_of_event[w->sequence->nevents] = transition;
    w->sites[++w->sequence->nevents] = site;
}

/* Of what is left out no time passes. */
static void add_call(struct walker *w, const struct sca_transition *transition)
{
    bool begins = w->thread && !transition->from, ends = w->thread && !transition->to;
    if (ends || (w->left_out && w->left_out[transition->to]))
        return;
    if (!begins && w->sites[w->sequence->nevents] != transition->from)
        add_event(w, transition->from, SCA_NONE);
    add_event(w, transition->to, begins ? SCA_NONE : (uint32_t)(transition - w->transitions.list));
    add_call_ops(w, transition->to);
}

/* All ranks end together, with all their threads: who is done first waits for the last. */
static void add_end(struct walker *w)
{
    static const struct sca_op end = {
        .kind = SCA_OP_COLLECTIVE, .shape = SCA_ALL_TO_ALL, .comm = SCA_COMM_END, .peer = -1};
    add_event(w, SCA_NONE, SCA_NONE);
    add_op(w, &end, SCA_NONE);
}

static void make_room(struct walker *w)
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

static void walk_transitions(struct walker *w)
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
static double spread_time(struct walker *w)
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

static bool has_calls(const struct walker *w)
{
    for (uint32_t i = 0; i < w->rank->nintervals; i++)
        if (is_of_thread(w, w->rank->intervals[i].site))
            return true;
    for (uint32_t i = 0; i < w->rank->nsites; i++)
        if (is_of_thread(w, w->rank->sites[i].site) && w->rank->sites[i].count)
            return true;
    return false;
}

/* Returns what of the thread's computation no event stands for. */
static double walk_thread(struct walker *w)
{
    collect_transitions(w);
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

/* Of two threads' messages on a channel the one comes first that comes earlier in its thread: of so
 * many others', those that are not behind the manieth of `own`. */
static uint64_t before(uint64_t number, uint64_t own, uint64_t others, bool lower)
{
    uint64_t at = (2 * number + 1) * others;
    return own && at ? ((at - !lower) / own + 1) / 2 : 0;
}

/* Threads use a channel at the same time: who sends it in such an order receives it so, too. */
static void merge_numbers(struct walker *w)
{
    const struct sca_event_sequence *s = w->sequence;
    for (uint32_t i = 0, thread = 0; i < s->nops; i++) {
        while (thread < s->nothers && w->ops[i].event >= w->others[thread])
            thread++;
        uint32_t c = w->channel_of_op[i];
        uint64_t number = w->ops[i].number, own;
        if (c == SCA_NONE)
            continue;
        own = w->channel_count[(size_t)thread * w->nchannels + c];
        for (uint32_t k = 0; k <= s->nothers; k++)
            if (k != thread)
                w->ops[i].number += (uint32_t)before(
                    number, own, w->channel_count[(size_t)k * w->nchannels + c], k < thread);
    }
}

static double walk_others(struct walker *w)
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
        merge_numbers(w);
    return lost;
}

double sca_trace_synthesis_of_rank(const struct sca_walk *walk, struct sca_workspace *space,
                                   uint32_t rank, struct sca_event_sequence *sequence)
{
    const unsigned tables =
        SCA_OPEN_SITES | SCA_OPEN_INTERVALS | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES;
    const struct sca_profile *profile = walk->profile;
    struct walker w = {.space = space,
                       .profile = profile,
                       .factor = walk->factor,
                       .left_out = walk->left_out,
                       .sequence = sequence};
    *sequence = (struct sca_event_sequence){0};
    w.rank = sca_rank_open(walk->opened, rank, tables);
    w.calls = sca_workspace_alloc(space, profile->nsites, sizeof *w.calls);
    w.walked = sca_workspace_alloc(space, profile->nsites, sizeof *w.walked);
    w.quota = sca_workspace_alloc(space, profile->nsites, sizeof *w.quota);
    collect_traffic(&w);
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
