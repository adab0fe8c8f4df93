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
    uint64_t *channel_next;
    uint64_t *calls, *quota; /* per site: real ones, and those the walk makes */
    uint64_t *walked;        /* of these, so far */
    struct {
        uint64_t quota, used;
    } *left; /* per site: sums over the transitions out of it */
    struct sca_event_sequence *sequence;
    uint32_t *sites; /* the sequence's */
    uint32_t *way_of_event;
    struct sca_replay_trace_op *ops; /* the sequence's */
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

static void collect_transitions(struct walker *w)
{
    const struct sca_rank *rank = w->rank;
    struct sca_transitions *transitions = &w->transitions;
    transitions->nsites = w->profile->nsites;
    transitions->list = sca_workspace_alloc(w->space, rank->nintervals, sizeof *transitions->list);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *interval = &rank->intervals[i];
        if (interval->count)
            transitions->list[transitions->n++] =
                (struct sca_transition){.from = interval->previous,
                                        .to = interval->site,
                                        .count = interval->count,
                                        .seconds = sca_trace_synthesis_seconds(interval)};
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
    w->channel_next = sca_workspace_alloc(w->space, (size_t)w->ntraffic + 1, sizeof(uint64_t));
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
static void add_op(struct walker *w, const struct sca_op *op)
{
    struct sca_event_sequence *sequence = w->sequence;
    if (sequence->nops == w->op_capacity) {
        w->op_capacity = w->op_capacity ? w->op_capacity * 2 : 64;
        w->ops =
            sca_workspace_grow(w->space, w->ops, sequence->nops, w->op_capacity, sizeof *w->ops);
    }
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
    add_op(w, &op);
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
    if (w->left_out && w->left_out[transition->to])
        return;
    if (w->sites[w->sequence->nevents] != transition->from)
        add_event(w, transition->from, SCA_NONE);
    add_event(w, transition->to, (uint32_t)(transition - w->transitions.list));
    add_call_ops(w, transition->to);
}

/* All ranks end together: who is done first waits for the last. */
static void add_end(struct walker *w)
{
    static const struct sca_op end = {
        .kind = SCA_OP_COLLECTIVE, .shape = SCA_ALL_TO_ALL, .comm = SCA_COMM_END, .peer = -1};
    add_event(w, SCA_NONE, SCA_NONE);
    add_op(w, &end);
}

static void walk_transitions(struct walker *w)
{
    uint64_t most = 2;
    uint32_t at = 0;
    struct sca_transition *transition;
    for (uint32_t i = 0; i < w->transitions.n; i++)
        most += (w->left_out ? 2 : 1) * w->transitions.list[i].quota;
    w->sites = sca_workspace_alloc(w->space, most + 1, sizeof *w->sites);
    w->way_of_event = sca_workspace_alloc(w->space, most, sizeof *w->way_of_event);
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
    w->sequence->interval =
        sca_workspace_alloc(w->space, w->sequence->nevents, sizeof *w->sequence->interval);
    for (uint32_t i = 0; i < w->transitions.n; i++)
        if (!w->transitions.list[i].used)
            lost += w->transitions.list[i].seconds;
    for (uint32_t i = 0; i < w->sequence->nevents; i++) {
        if (w->way_of_event[i] == SCA_NONE)
            continue;
        const struct sca_transition *transition = &w->transitions.list[w->way_of_event[i]];
        w->sequence->interval[i] = transition->seconds / w->factor / (double)transition->used;
    }
    return lost;
}

double sca_trace_synthesis_of_rank(const struct sca_walk *walk, struct sca_workspace *space,
                                   uint32_t rank, struct sca_event_sequence *sequence)
{
    const unsigned tables = SCA_OPEN_INTERVALS | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES;
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
    collect_transitions(&w);
    collect_traffic(&w);
    for (uint32_t i = 0; i < w.transitions.n; i++) {
        w.calls[w.transitions.list[i].to] += w.transitions.list[i].count;
        w.quota[w.transitions.list[i].to] += w.transitions.list[i].quota;
    }
    walk_transitions(&w);
    sequence->ops = w.ops;
    sequence->sites = w.sites;
    sca_probed_receives(profile, sequence);
    return spread_time(&w);
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
