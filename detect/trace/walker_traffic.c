#include "trace/walker.h"
#include "trace/trace_scale.h"

#include <math.h>
#include <string.h>

static int by_channel(const void *a, const void *b)
{
    const struct sca_walker_record *x = a, *y = b;
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
    return by_channel(*(const struct sca_walker_record *const *)a,
                      *(const struct sca_walker_record *const *)b);
}

static int by_site(const void *a, const void *b)
{
    const struct sca_walker_record *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    return (x->channel > y->channel) - (x->channel < y->channel);
}

/*
 * Who shortens what it sends as who receives it, by count alone, finds the same number of messages.
 * One more or less, and each receive from there on would wait for the message after its own, whose
 * sender waits for ours.
 */
static uint64_t shortened(const struct sca_walker *w, uint64_t count)
{
    uint64_t kept = sca_trace_scale_count(count, w->factor);
    return count && !kept ? 1 : kept;
}

static void add_traffic(struct sca_walker *w, uint32_t site, uint32_t comm, int32_t peer,
                        uint32_t kind, int shape, uint64_t count)
{
    if (count)
        w->traffic[w->ntraffic++] =
            (struct sca_walker_record){site, comm, peer, kind, shape, count, 0, 0};
}

static void number_channels(struct sca_walker *w)
{
    struct sca_walker_record **list =
        sca_workspace_alloc(w->space, w->ntraffic, sizeof(struct sca_walker_record *));
    for (uint32_t i = 0; i < w->ntraffic; i++)
        list[i] = &w->traffic[i];
    sca_workspace_put_in_order(w->space, list, w->ntraffic, sizeof *list, by_channel_of);
    for (uint32_t i = 1; i < w->ntraffic; i++)
        list[i]->channel = list[i - 1]->channel + (by_channel(list[i], list[i - 1]) != 0);
    w->nchannels = w->ntraffic ? list[w->ntraffic - 1]->channel + 1 : 0;
    w->channel_next = sca_workspace_alloc(w->space, (size_t)w->nchannels + 1, sizeof(uint64_t));
}

/* A thread that calls MPI begins when another one has created it, at the same call path, and is
 * joined when it has ended: as if they told each other. */
static void add_thread(struct sca_walker *w, uint32_t site, uint64_t count)
{
    static const struct {
        const char *function;
        uint32_t kind;
        bool begins;
    } of[] = {{"thread create", SCA_OP_SEND, true},
              {"thread start", SCA_OP_RECV, true},
              {"thread end", SCA_OP_SEND, false},
              {"thread join", SCA_OP_RECV, false}};
    const struct sca_site *s = &w->profile->sites[site];
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strcmp(s->function, of[i].function))
            add_traffic(w, site, SCA_COMM_THREADS - (of[i].begins ? s->node : 0),
                        (int32_t)w->number, of[i].kind, 0, shortened(w, count));
}

static bool has_threads(const struct sca_profile *profile)
{
    for (uint32_t s = 0; s < profile->nsites; s++)
        if (profile->sites[s].thread)
            return true;
    return false;
}

static void add_threads(struct sca_walker *w)
{
    uint32_t nsites = w->profile->nsites;
    if (!has_threads(w->profile))
        return;
    uint64_t *left = sca_workspace_alloc(w->space, nsites, sizeof *left);
    for (uint32_t i = 0; i < w->rank->nintervals; i++) {
        const struct sca_part_interval *x = &w->rank->intervals[i];
        if (x->previous < nsites)
            left[x->previous] += x->count;
    }
    for (uint32_t i = 0; i < w->rank->nsites; i++)
        add_thread(w, w->rank->sites[i].site, w->rank->sites[i].count);
    for (uint32_t s = 1; s < nsites; s++)
        if (!strcmp(w->profile->sites[s].function, "thread start"))
            add_thread(w, s, left[s]);
}

void sca_walker_collect_traffic(struct sca_walker *w)
{
    const struct sca_rank *rank = w->rank;
    uint32_t nsites = w->profile->nsites;
    size_t most = (size_t)rank->npeers + rank->ncollectives + rank->nsites + nsites;
    w->traffic = sca_workspace_alloc(w->space, most, sizeof *w->traffic);
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
    add_threads(w);
    number_channels(w);
    sca_workspace_put_in_order(w->space, w->traffic, w->ntraffic, sizeof *w->traffic, by_site);
    w->traffic_first = sca_workspace_alloc(w->space, (size_t)nsites + 1, sizeof(uint32_t));
    for (uint32_t s = 0, t = 0; s <= nsites; s++) {
        while (t < w->ntraffic && w->traffic[t].site < s)
            t++;
        w->traffic_first[s] = t;
    }
}

/* Of the event walked last. */
void sca_walker_add_op(struct sca_walker *w, const struct sca_op *op, uint32_t channel)
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

static void add_traffic_op(struct sca_walker *w, struct sca_walker_record *t)
{
    struct sca_op op = {.kind = (uint8_t)t->kind,
                        .shape = (uint8_t)t->shape,
                        .comm = t->comm,
                        .peer = t->peer,
                        .number = w->channel_next[t->channel]++};
    t->used++;
    sca_walker_add_op(w, &op, t->channel);
}

/* Traffic of one kind that this call owes: its count, spread evenly over so many of the site's
 * calls; each time to the peer that lags furthest behind. */
static void pay(struct sca_walker *w, struct sca_walker_record *t, uint32_t n, uint64_t calls,
                uint64_t walked)
{
    uint64_t count = 0, paid = 0;
    for (uint32_t i = 0; i < n; i++) {
        count += t[i].count;
        paid += t[i].used;
    }
    uint64_t due = (uint64_t)llround((double)count / (double)calls * (double)walked);
    for (; paid < due; paid++) {
        struct sca_walker_record *best = &t[0];
        for (uint32_t i = 1; i < n; i++)
            if (((double)t[i].used + 1) / (double)t[i].count <
                ((double)best->used + 1) / (double)best->count - 1e-12)
                best = &t[i];
        add_traffic_op(w, best);
    }
}

void sca_walker_add_call_ops(struct sca_walker *w, uint32_t site)
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

/* Of two threads' messages on a channel the one comes first that comes earlier in its thread: of so
 * many others', those that are not behind the manieth of `own`. */
static uint64_t before(uint64_t number, uint64_t own, uint64_t others, bool lower)
{
    uint64_t at = (2 * number + 1) * others;
    return own && at ? ((at - !lower) / own + 1) / 2 : 0;
}

void sca_walker_merge_numbers(struct sca_walker *w)
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
