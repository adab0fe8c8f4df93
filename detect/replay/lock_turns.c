#include "replay/lock_turns.h"
#include "replay/lockings.h"

#include <stdlib.h>

struct lock {
    uint32_t holder;              /* a rank that has it exclusively; SCA_NONE: none */
    uint32_t readers;             /* that have it, shared */
    uint32_t let_go, reader_left; /* events, the last of each; SCA_NO_EVENT: none */
};

struct sca_lock_turns {
    struct sca_replay_links *links;
    const struct sca_lockings *uses;
    struct lock *locks;
    const struct sca_locking **asked; /* per rank or thread; NULL: nothing */
    uint32_t *asking, nasking;        /* ranks */
};

struct sca_lock_turns *sca_lock_turns_open(struct sca_workspace *scratch,
                                           struct sca_replay_links *links)
{
    if (!links->locks)
        return NULL;
    struct sca_lock_turns *t = sca_workspace_alloc(scratch, 1, sizeof *t);
    uint32_t nranks = links->trace->nlocations;
    t->links = links;
    t->uses = links->locks;
    t->locks = sca_workspace_alloc(scratch, t->uses->nlocks, sizeof *t->locks);
    t->asked = sca_workspace_alloc(scratch, nranks, sizeof(struct sca_locking *));
    t->asking = sca_workspace_alloc(scratch, nranks, sizeof *t->asking);
    for (uint32_t i = 0; i < t->uses->nlocks; i++)
        t->locks[i] = (struct lock){SCA_NONE, 0, SCA_NO_EVENT, SCA_NO_EVENT};
    return t;
}

typedef void visit(struct lock *lock, uint32_t rank, uint32_t event);

/* The locks that an operation is on. */
static void for_each(struct sca_lock_turns *t, const struct sca_locking *use, uint32_t rank,
                     visit *visit)
{
    if (use->shape < SCA_LOCK_SHARED_ALL) {
        visit(&t->locks[use->lock], rank, use->event);
        return;
    }
    for (uint32_t i = 0; i < t->uses->nlocks; i++)
        if (t->uses->window[i] == use->lock)
            visit(&t->locks[i], rank, use->event);
}

static int by_event(const void *a, const void *b)
{
    uint32_t x = ((const struct sca_locking *)a)->event, y = ((const struct sca_locking *)b)->event;
    return (x > y) - (x < y);
}

/* A rank lets go once what it has: its last event is the one that counts. */
static void let_go(struct lock *lock, uint32_t rank, uint32_t event)
{
    if (lock->holder == rank) {
        lock->holder = SCA_NONE;
        lock->let_go = event;
    } else if (lock->readers) {
        lock->readers--;
        lock->reader_left = event;
    }
}

void sca_lock_turns_enter(struct sca_lock_turns *t, uint32_t rank, uint32_t event)
{
    const struct sca_locking wanted = {.event = event}, *use;
    if (!t)
        return;
    use = bsearch(&wanted, t->uses->of, t->uses->n, sizeof wanted, by_event);
    if (!use)
        return;
    if (!sca_locking_takes(use)) {
        for_each(t, use, rank, let_go);
        return;
    }
    t->asked[rank] = use;
    t->asking[t->nasking++] = rank;
}

bool sca_lock_turns_asks(const struct sca_lock_turns *t, uint32_t rank)
{
    return t && t->asked[rank];
}

/* All of a window's are: nobody has one of them alone. */
static bool are_shared(const struct sca_lock_turns *t, uint32_t window)
{
    for (uint32_t i = 0; i < t->uses->nlocks; i++)
        if (t->uses->window[i] == window && t->locks[i].holder != SCA_NONE)
            return false;
    return true;
}

static bool is_to_be_had(const struct sca_lock_turns *t, const struct sca_locking *use)
{
    if (use->shape == SCA_LOCK_SHARED_ALL)
        return are_shared(t, use->lock);
    const struct lock *lock = &t->locks[use->lock];
    return lock->holder == SCA_NONE && (use->shape == SCA_LOCK_SHARED || !lock->readers);
}

/* Whether one goes before the other: who can have what he asks for, who asks first, lower ranks. */
static bool goes_before(const struct sca_lock_turns *t, const double *enter, uint32_t a, uint32_t b)
{
    const struct sca_locking *x = t->asked[a], *y = t->asked[b];
    bool can = is_to_be_had(t, x);
    if (can != is_to_be_had(t, y))
        return can;
    if (enter[x->event] < enter[y->event] || enter[x->event] > enter[y->event])
        return enter[x->event] < enter[y->event];
    return a < b;
}

uint32_t sca_lock_turns_next(const struct sca_lock_turns *t, const double *enter)
{
    uint32_t first = SCA_NONE;
    for (uint32_t i = 0; t && i < t->nasking; i++)
        if (first == SCA_NONE || goes_before(t, enter, t->asking[i], first))
            first = t->asking[i];
    return first;
}

static void share(struct lock *lock, uint32_t rank, uint32_t event)
{
    (void)rank;
    (void)event;
    lock->readers++;
}

static void own(struct lock *lock, uint32_t rank, uint32_t event)
{
    (void)event;
    lock->holder = rank;
    lock->reader_left = SCA_NO_EVENT;
}

static void put_link(struct sca_replay_links *links, uint32_t event, uint32_t on)
{
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_LOCK)
            links->input[i] = on;
}

/* Of all locks of a window, who let one go last. */
static uint32_t let_go_last(const struct sca_lock_turns *t, uint32_t window, const double *enter)
{
    uint32_t last = SCA_NO_EVENT;
    for (uint32_t i = 0; i < t->uses->nlocks; i++) {
        uint32_t event = t->uses->window[i] == window ? t->locks[i].let_go : SCA_NO_EVENT;
        if (event != SCA_NO_EVENT && (last == SCA_NO_EVENT || enter[event] > enter[last]))
            last = event;
    }
    return last;
}

/* Who shares it waits for the last who had it alone; who wants it alone for the readers after him,
 * or for him. */
static uint32_t waits_for(const struct sca_lock_turns *t, const struct sca_locking *use,
                          const double *enter)
{
    if (use->shape == SCA_LOCK_SHARED_ALL)
        return let_go_last(t, use->lock, enter);
    const struct lock *lock = &t->locks[use->lock];
    bool alone = use->shape == SCA_LOCK_EXCLUSIVE;
    return alone && lock->reader_left != SCA_NO_EVENT ? lock->reader_left : lock->let_go;
}

void sca_lock_turns_grant(struct sca_lock_turns *t, uint32_t rank, const double *enter)
{
    const struct sca_locking *use = t->asked[rank];
    uint32_t on = waits_for(t, use, enter);
    if (on != SCA_NO_EVENT && sca_links_rank(t->links, on) != rank)
        put_link(t->links, use->event, on);
    for_each(t, use, rank, use->shape == SCA_LOCK_EXCLUSIVE ? own : share);
    t->asked[rank] = NULL;
    for (uint32_t i = 0; i < t->nasking; i++)
        if (t->asking[i] == rank)
            t->asking[i] = t->asking[--t->nasking];
}
