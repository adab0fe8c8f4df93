#include "replay/event_order.h"
#include "replay/lock_turns.h"

#include <string.h>

/*
 * Ranks, or their threads that call MPI, advance one after the other as far as they can (below
 * "rank" is each of them). All dependences are on the *entering* of
 * another event, so a rank that is stuck names one event it needs: it is queued on that event's
 * rank and looked at again when that rank enters something. Who asks for a lock is stuck until
 * nobody else can go on: then nobody can ask for it earlier, in virtual time, than the first of
 * those who do.
 */
struct order_search {
    const struct sca_trace *trace;
    struct sca_replay_links *links;
    struct sca_order *order;
    uint32_t entered;
    uint32_t *at;    /* per rank: place of the event entered but not left, or first[r + 1] */
    double *enter;   /* by place, below 0 before; who is stuck for good leaves by virtual time */
    bool *queued;    /* per rank */
    uint32_t *ready; /* ring of ranks to look at */
    uint32_t head, tail;
    uint32_t *waiters, *next_waiter; /* list of ranks per rank waited on */
    struct sca_lock_turns *turns;    /* NULL: there are no locks */
};

static void make_ready(struct order_search *s, uint32_t rank)
{
    if (s->queued[rank])
        return;
    s->queued[rank] = true;
    s->ready[s->tail] = rank;
    s->tail = (s->tail + 1) % (s->trace->nlocations + 1);
}

/* Those who wait for something of this rank look again. */
static void wake(struct order_search *s, uint32_t rank)
{
    uint32_t waiter = s->waiters[rank];
    s->waiters[rank] = SCA_NONE;
    while (waiter != SCA_NONE) {
        uint32_t next = s->next_waiter[waiter];
        make_ready(s, waiter);
        waiter = next;
    }
}

static void wait_on(struct order_search *s, uint32_t rank, uint32_t event)
{
    uint32_t other = sca_links_location(s->links, event);
    s->next_waiter[rank] = s->waiters[other];
    s->waiters[other] = rank;
}

static void enter(struct order_search *s, uint32_t rank, double begin)
{
    uint32_t event = s->at[rank];
    if (event == s->trace->location[rank + 1])
        return;
    uint32_t of = sca_links_rank(s->links, event), first = s->trace->first[of];
    const struct sca_event_sequence *sequence = &s->trace->sequences[of];
    s->enter[event] =
        begin + sequence->interval[event - first] + sca_transfer_of(sequence, event - first);
    s->order->number[event] = s->entered;
    s->order->place[s->entered++] = event;
    sca_links_enter(s->links, event, s->enter[event]);
    sca_lock_turns_enter(s->turns, rank, event);
    wake(s, rank);
}

static bool has_come(const struct order_search *s, uint32_t event)
{
    return event == SCA_NO_EVENT || s->enter[event] >= 0;
}

/* A member that has not come yet, SCA_NO_EVENT if all have. Starts where the last look ended. */
static uint32_t missing_member(const struct order_search *s, struct sca_group *g)
{
    for (; g->seen < g->nmembers; g->seen++) {
        uint32_t member = s->links->members[g->first + g->seen];
        if (!has_come(s, member))
            return member;
    }
    return SCA_NO_EVENT;
}

static uint32_t missing_lower(const struct order_search *s, const struct sca_group *g,
                              uint32_t event)
{
    for (uint32_t i = 0; i < g->nmembers && s->links->members[g->first + i] < event; i++)
        if (!has_come(s, s->links->members[g->first + i]))
            return s->links->members[g->first + i];
    return SCA_NO_EVENT;
}

static uint32_t missing_of_group(const struct order_search *s, struct sca_group *g, uint32_t event)
{
    switch (g->shape) {
    case SCA_ONE_TO_ALL:
        return has_come(s, g->root) ? SCA_NO_EVENT : g->root;
    case SCA_ALL_TO_ONE:
        return sca_links_is_root(s->links, g, event) ? missing_member(s, g) : SCA_NO_EVENT;
    case SCA_PREFIX:
        return missing_lower(s, g, event);
    default:
        return missing_member(s, g);
    }
}

/* An event that this one has to wait for, SCA_NO_EVENT if it can be left. */
static uint32_t missing(const struct order_search *s, uint32_t event)
{
    const struct sca_replay_links *l = s->links;
    uint32_t found = SCA_NO_EVENT;
    for (uint32_t i = l->first_input[event]; found == SCA_NO_EVENT && i < l->first_input[event + 1];
         i++)
        if (!sca_input_is_collective(l->kind[i]))
            found = has_come(s, l->input[i]) ? SCA_NO_EVENT : l->input[i];
        else if (l->kind[i] != SCA_OP_COLLECTIVE_POST)
            found = missing_of_group(s, &l->groups[l->input[i]], event);
    return found;
}

static double exit_of(const struct order_search *s, uint32_t event)
{
    uint32_t waited_for;
    return sca_links_leave(s->links, s->enter, event, &waited_for);
}

static void leave(struct order_search *s, uint32_t rank)
{
    double exit = exit_of(s, s->at[rank]++);
    enter(s, rank, exit);
}

static void advance(struct order_search *s, uint32_t rank)
{
    while (s->at[rank] < s->trace->location[rank + 1]) {
        if (sca_lock_turns_asks(s->turns, rank))
            return;
        uint32_t other = missing(s, s->at[rank]);
        if (other != SCA_NO_EVENT) {
            wait_on(s, rank, other);
            return;
        }
        leave(s, rank);
    }
}

static void advance_ready(struct order_search *s)
{
    while (s->head != s->tail) {
        uint32_t rank = s->ready[s->head];
        s->head = (s->head + 1) % (s->trace->nlocations + 1);
        s->queued[rank] = false;
        advance(s, rank);
    }
}

static uint32_t earliest_stuck(const struct order_search *s)
{
    uint32_t earliest = SCA_NONE;
    double time = 0;
    for (uint32_t r = 0; r < s->trace->nlocations; r++) {
        if (s->at[r] == s->trace->location[r + 1])
            continue;
        double exit = exit_of(s, s->at[r]);
        if (earliest == SCA_NONE || exit < time) {
            earliest = r;
            time = exit;
        }
    }
    return earliest;
}

/* A stuck rank stands in the list of the one that it waits for. */
static void stop_waiting(struct order_search *s, uint32_t rank)
{
    uint32_t *at = &s->waiters[sca_links_location(s->links, missing(s, s->at[rank]))];
    while (*at != rank && *at != SCA_NONE)
        at = &s->next_waiter[*at];
    if (*at == rank)
        *at = s->next_waiter[rank];
}

/* Nobody can go on: the earliest stuck rank leaves without what it waits for. */
static bool force_one(struct order_search *s, uint64_t most)
{
    uint32_t earliest = earliest_stuck(s);
    if (earliest == SCA_NONE || s->order->forced > most)
        return false;
    stop_waiting(s, earliest);
    leave(s, earliest);
    s->order->forced++;
    make_ready(s, earliest);
    return true;
}

static bool grant_one(struct order_search *s)
{
    uint32_t rank = sca_lock_turns_next(s->turns, s->enter);
    if (rank == SCA_NONE)
        return false;
    sca_lock_turns_grant(s->turns, rank, s->enter);
    make_ready(s, rank);
    return true;
}

static void take_memory(struct order_search *s, struct sca_workspace *scratch)
{
    uint32_t n = s->trace->nlocations, nevents = s->trace->nevents;
    s->at = sca_workspace_alloc(scratch, n, sizeof *s->at);
    s->enter = sca_workspace_alloc_dense(scratch, nevents, sizeof *s->enter);
    s->queued = sca_workspace_alloc(scratch, n, sizeof *s->queued);
    s->ready = sca_workspace_alloc(scratch, (size_t)n + 1, sizeof *s->ready);
    s->waiters = sca_workspace_alloc(scratch, n, sizeof *s->waiters);
    s->next_waiter = sca_workspace_alloc(scratch, n, sizeof *s->next_waiter);
    s->turns = sca_lock_turns_open(scratch, s->links);
    memset(s->waiters, 0xff, n * sizeof *s->waiters);
    for (uint32_t i = 0; i < nevents; i++)
        s->enter[i] = -1;
}

static void begin(struct order_search *s)
{
    sca_links_reset(s->links);
    for (uint32_t r = 0; r < s->trace->nlocations; r++) {
        s->at[r] = s->trace->location[r];
        make_ready(s, r);
        enter(s, r, 0);
    }
    s->order->nfirst = s->entered;
}

void sca_event_order_find(struct sca_workspace *space, const struct sca_trace *trace,
                          struct sca_replay_links *links, uint64_t most_forced,
                          struct sca_order *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct order_search s = {.trace = trace, .links = links, .order = out};
    *out = (struct sca_order){0};
    out->number = sca_workspace_alloc_dense(space, trace->nevents, sizeof *out->number);
    out->place = sca_workspace_alloc_dense(space, trace->nevents, sizeof *out->place);
    take_memory(&s, &scratch);
    begin(&s);
    do
        advance_ready(&s);
    while (grant_one(&s) || force_one(&s, most_forced));
    sca_workspace_free(&scratch);
}
