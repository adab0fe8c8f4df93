#include "trace/call_sequence.h"
#include "trace/trace_scale.h"

struct tracer {
    struct sca_transitions *transitions;
    uint64_t *left;    /* by way: what no round has taken yet */
    uint32_t *next;    /* by site: its first way of which something may be left */
    uint32_t *arrived; /* by site: how many transitions lie before it, where it is being traced */
    uint32_t *trace;   /* transitions from site 0 to where we are, each site on it once */
    uint32_t length;
    uint64_t spare; /* steps that transitions may take that come round less than once */
    bool ended;     /* the way to the run's end is known */
};

static int by_from(const void *a, const void *b)
{
    const struct sca_transition *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void put_in_order(struct sca_workspace *space, struct sca_transitions *transitions)
{
    sca_workspace_put_in_order(space, transitions->list, transitions->n, sizeof *transitions->list,
                               by_from);
    transitions->first =
        sca_workspace_alloc(space, (size_t)transitions->nsites + 1, sizeof *transitions->first);
    for (uint32_t s = 0, i = 0; s <= transitions->nsites; s++) {
        while (i < transitions->n && transitions->list[i].from < s)
            i++;
        transitions->first[s] = i;
    }
}

static uint32_t site_of(const struct tracer *t)
{
    return t->length ? t->transitions->list[t->trace[t->length - 1]].to : 0;
}

static uint32_t next_transition(struct tracer *t, uint32_t site)
{
    uint32_t end = t->transitions->first[site + 1];
    while (t->next[site] < end && !t->left[t->next[site]])
        t->next[site]++;
    return t->next[site] < end ? t->next[site] : SCA_NONE;
}

/* The way of which least is left in the trace from `start` on. */
static uint32_t narrowest(const struct tracer *t, uint32_t start)
{
    uint32_t best = t->trace[start];
    for (uint32_t i = start + 1; i < t->length; i++)
        if (t->left[t->trace[i]] < t->left[best])
            best = t->trace[i];
    return best;
}

static bool is_gone(const struct tracer *t, uint32_t start)
{
    for (uint32_t i = start; i < t->length; i++)
        if (!t->transitions->list[t->trace[i]].quota)
            return false;
    return true;
}

/*
 * How often the shortened sequence goes the round that the run went so many times: so that the way
 * of which nothing is left afterwards has its count divided by the factor, and that each is gone.
 */
static uint64_t rounds(struct tracer *t, uint32_t start, uint32_t transition, double factor)
{
    uint64_t goal = sca_trace_scale_count(t->transitions->list[transition].count, factor);
    uint64_t quota = t->transitions->list[transition].quota, times = t->left[transition],
             length = t->length - start;
    if (times && quota < goal)
        return goal - quota < times ? goal - quota : times;
    if (!times || t->spare < length || is_gone(t, start))
        return 0;
    t->spare -= length;
    return 1;
}

static void leave(struct tracer *t)
{
    t->arrived[site_of(t)] = SCA_NONE;
    t->length--;
}

/* The trace has come back to a site of its own: takes what has gone round there. */
static void take_round(struct tracer *t, uint32_t start, double factor)
{
    uint32_t transition = narrowest(t, start);
    uint64_t times = t->left[transition], kept = rounds(t, start, transition, factor);
    for (uint32_t i = start; i < t->length; i++) {
        t->left[t->trace[i]] -= times;
        t->transitions->list[t->trace[i]].quota += kept;
    }
    t->length--; /* its site stays where it was come to first */
    while (t->length > start)
        leave(t);
}

/* No way leads on: the run's end, or, where that is known, counts that do not fit. */
static void take_end(struct tracer *t)
{
    for (uint32_t i = 0; !t->ended && i < t->length; i++) {
        struct sca_transition *transition = &t->transitions->list[t->trace[i]];
        t->left[t->trace[i]]--;
        transition->quota++;
        transition->onward = true;
    }
    t->ended = true;
    t->left[t->trace[t->length - 1]] = 0;
    leave(t);
}

static void go(struct tracer *t, uint32_t transition, double factor)
{
    uint32_t to = t->transitions->list[transition].to;
    t->trace[t->length++] = transition;
    if (t->arrived[to] != SCA_NONE)
        take_round(t, t->arrived[to], factor);
    else
        t->arrived[to] = t->length;
}

static void trace(struct tracer *t, double factor)
{
    for (;;) {
        uint32_t transition = next_transition(t, site_of(t));
        if (transition != SCA_NONE)
            go(t, transition, factor);
        else if (t->length)
            take_end(t);
        else
            return;
    }
}

/* Of each site that the way to the end does not pass, a way that leads there. */
static void lead_onward(struct sca_workspace *space, struct sca_transitions *transitions)
{
    bool *leads = sca_workspace_alloc(space, transitions->nsites, sizeof *leads), more = true;
    for (uint32_t i = 0; i < transitions->n; i++)
        if (transitions->list[i].onward)
            leads[transitions->list[i].from] = leads[transitions->list[i].to] = true;
    while (more) {
        more = false;
        for (uint32_t i = transitions->n; i-- > 0;) {
            struct sca_transition *transition = &transitions->list[i];
            if (transition->quota && leads[transition->to] && !leads[transition->from])
                more = leads[transition->from] = transition->onward = true;
        }
    }
}

void sca_call_sequence_shorten(struct sca_workspace *space, struct sca_transitions *transitions,
                               double factor, uint64_t spare)
{
    struct tracer t = {.transitions = transitions, .spare = spare};
    put_in_order(space, transitions);
    t.left = sca_workspace_alloc(space, transitions->n, sizeof *t.left);
    t.next = sca_workspace_alloc(space, transitions->nsites, sizeof *t.next);
    t.arrived = sca_workspace_alloc(space, transitions->nsites, sizeof *t.arrived);
    t.trace = sca_workspace_alloc(space, (size_t)transitions->nsites + 1, sizeof *t.trace);
    for (uint32_t i = 0; i < transitions->n; i++) {
        t.left[i] = transitions->list[i].count;
        transitions->list[i].quota = 0;
        transitions->list[i].onward = false;
    }
    for (uint32_t s = 0; s < transitions->nsites; s++) {
        t.next[s] = transitions->first[s];
        t.arrived[s] = SCA_NONE;
    }
    if (transitions->nsites)
        t.arrived[0] = 0;
    trace(&t, factor);
    lead_onward(space, transitions);
}
