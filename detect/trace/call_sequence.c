#include "trace/call_sequence.h"
#include "trace/trace_scale.h"

struct tracer {
    struct sca_ways *ways;
    uint64_t *left;    /* by way: what no round has taken yet */
    uint32_t *next;    /* by site: its first way of which something may be left */
    uint32_t *arrived; /* by site: how many ways lie before it, where it is being traced */
    uint32_t *trace;   /* ways from site 0 to where we are, each site on it once */
    uint32_t length;
    uint64_t spare; /* steps that ways may take that come round less than once */
    bool ended;     /* the way to the run's end is known */
};

static int by_from(const void *a, const void *b)
{
    const struct sca_way *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void put_in_order(struct sca_room *room, struct sca_ways *ways)
{
    sca_room_put_in_order(room, ways->list, ways->n, sizeof *ways->list, by_from);
    ways->first = sca_room_alloc(room, (size_t)ways->nsites + 1, sizeof *ways->first);
    for (uint32_t s = 0, i = 0; s <= ways->nsites; s++) {
        while (i < ways->n && ways->list[i].from < s)
            i++;
        ways->first[s] = i;
    }
}

static uint32_t site_of(const struct tracer *t)
{
    return t->length ? t->ways->list[t->trace[t->length - 1]].to : 0;
}

static uint32_t next_way(struct tracer *t, uint32_t site)
{
    uint32_t end = t->ways->first[site + 1];
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
        if (!t->ways->list[t->trace[i]].quota)
            return false;
    return true;
}

/*
 * How often the shortened trail goes the round that the run went so many times: so that the way of
 * which nothing is left afterwards has its count divided by the factor, and that each is gone.
 */
static uint64_t rounds(struct tracer *t, uint32_t start, uint32_t way, double factor)
{
    uint64_t goal = sca_shorten_count(t->ways->list[way].count, factor);
    uint64_t quota = t->ways->list[way].quota, times = t->left[way], length = t->length - start;
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
    uint32_t way = narrowest(t, start);
    uint64_t times = t->left[way], kept = rounds(t, start, way, factor);
    for (uint32_t i = start; i < t->length; i++) {
        t->left[t->trace[i]] -= times;
        t->ways->list[t->trace[i]].quota += kept;
    }
    t->length--; /* its site stays where it was come to first */
    while (t->length > start)
        leave(t);
}

/* No way leads on: the run's end, or, where that is known, counts that do not fit. */
static void take_end(struct tracer *t)
{
    for (uint32_t i = 0; !t->ended && i < t->length; i++) {
        struct sca_way *way = &t->ways->list[t->trace[i]];
        t->left[t->trace[i]]--;
        way->quota++;
        way->onward = true;
    }
    t->ended = true;
    t->left[t->trace[t->length - 1]] = 0;
    leave(t);
}

static void go(struct tracer *t, uint32_t way, double factor)
{
    uint32_t to = t->ways->list[way].to;
    t->trace[t->length++] = way;
    if (t->arrived[to] != SCA_NONE)
        take_round(t, t->arrived[to], factor);
    else
        t->arrived[to] = t->length;
}

static void trace(struct tracer *t, double factor)
{
    for (;;) {
        uint32_t way = next_way(t, site_of(t));
        if (way != SCA_NONE)
            go(t, way, factor);
        else if (t->length)
            take_end(t);
        else
            return;
    }
}

/* Of each site that the way to the end does not pass, a way that leads there. */
static void lead_onward(struct sca_room *room, struct sca_ways *ways)
{
    bool *leads = sca_room_alloc(room, ways->nsites, sizeof *leads), more = true;
    for (uint32_t i = 0; i < ways->n; i++)
        if (ways->list[i].onward)
            leads[ways->list[i].from] = leads[ways->list[i].to] = true;
    while (more) {
        more = false;
        for (uint32_t i = ways->n; i-- > 0;) {
            struct sca_way *way = &ways->list[i];
            if (way->quota && leads[way->to] && !leads[way->from])
                more = leads[way->from] = way->onward = true;
        }
    }
}

void sca_trail_shorten(struct sca_room *room, struct sca_ways *ways, double factor, uint64_t spare)
{
    struct tracer t = {.ways = ways, .spare = spare};
    put_in_order(room, ways);
    t.left = sca_room_alloc(room, ways->n, sizeof *t.left);
    t.next = sca_room_alloc(room, ways->nsites, sizeof *t.next);
    t.arrived = sca_room_alloc(room, ways->nsites, sizeof *t.arrived);
    t.trace = sca_room_alloc(room, (size_t)ways->nsites + 1, sizeof *t.trace);
    for (uint32_t i = 0; i < ways->n; i++) {
        t.left[i] = ways->list[i].count;
        ways->list[i].quota = 0;
        ways->list[i].onward = false;
    }
    for (uint32_t s = 0; s < ways->nsites; s++) {
        t.next[s] = ways->first[s];
        t.arrived[s] = SCA_NONE;
    }
    if (ways->nsites)
        t.arrived[0] = 0;
    trace(&t, factor);
    lead_onward(room, ways);
}
