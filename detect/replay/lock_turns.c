#include "replay/lock_turns.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* ---- what the trace has ---- */

struct known { /* a lock */
    struct {
        uint32_t window, target;
    } key;
    uint32_t number;
    UT_hash_handle hh;
};

static uint32_t number_of(struct sca_workspace *scratch, struct known **all,
                          const struct sca_replay_trace_op *op)
{
    struct known wanted = {.key = {op->comm, (uint32_t)op->peer}}, *found;
    HASH_FIND(hh, *all, &wanted.key, sizeof wanted.key, found);
    if (found)
        return found->number;
    found = sca_workspace_alloc(scratch, 1, sizeof *found);
    *found = wanted;
    found->number = HASH_COUNT(*all);
    HASH_ADD(hh, *all, key, sizeof found->key, found);
    if (!found->hh.tbl)
        longjmp(*scratch->out_of_memory, 1);
    return found->number;
}

static bool is_lock(const struct sca_replay_trace_op *op)
{
    return op->kind == SCA_OP_LOCK && op->peer >= 0;
}

static uint32_t count_uses(const struct sca_trace *trace)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++)
            n += is_lock(&trace->sequences[r].ops[k]);
    return n;
}

struct sca_lock_uses *sca_lock_uses_find(struct sca_workspace *space, const struct sca_trace *trace)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct known *known = NULL;
    uint32_t n = count_uses(trace);
    struct sca_lock_uses *out = n ? sca_workspace_alloc(space, 1, sizeof *out) : NULL;
    if (!out)
        return NULL;
    out->of = sca_workspace_alloc(space, n, sizeof *out->of);
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++) {
            const struct sca_replay_trace_op *op = &trace->sequences[r].ops[k];
            if (is_lock(op))
                out->of[out->n++] =
                    (struct sca_lock_use){trace->first[r] + op->event,
                                          number_of(&scratch, &known, op),
                                          (enum sca_lock_shape)op->shape};
        }
    out->nlocks = HASH_COUNT(known);
    HASH_CLEAR(hh, known);
    sca_workspace_free(&scratch);
    return out;
}

/* ---- who has them ---- */

struct lock {
    uint32_t holder;              /* a rank that has it exclusively; SCA_NONE: none */
    uint32_t readers;             /* that have it, shared */
    uint32_t let_go, reader_left; /* events, the last of each; SCA_NO_EVENT: none */
};

struct sca_lock_turns {
    struct sca_replay_links *links;
    const struct sca_lock_uses *uses;
    struct lock *locks;
    const struct sca_lock_use **asked; /* per rank; NULL: nothing */
    uint32_t *asking, nasking;         /* ranks */
};

struct sca_lock_turns *sca_lock_turns_open(struct sca_workspace *scratch,
                                           struct sca_replay_links *links)
{
    if (!links->locks)
        return NULL;
    struct sca_lock_turns *t = sca_workspace_alloc(scratch, 1, sizeof *t);
    uint32_t nranks = links->trace->nranks;
    t->links = links;
    t->uses = links->locks;
    t->locks = sca_workspace_alloc(scratch, t->uses->nlocks, sizeof *t->locks);
    t->asked = sca_workspace_alloc(scratch, nranks, sizeof(struct sca_lock_use *));
    t->asking = sca_workspace_alloc(scratch, nranks, sizeof *t->asking);
    for (uint32_t i = 0; i < t->uses->nlocks; i++)
        t->locks[i] = (struct lock){SCA_NONE, 0, SCA_NO_EVENT, SCA_NO_EVENT};
    return t;
}

static int by_event(const void *a, const void *b)
{
    uint32_t x = ((const struct sca_lock_use *)a)->event, y = ((const struct sca_lock_use *)b)->event;
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
    const struct sca_lock_use wanted = {.event = event}, *use;
    if (!t)
        return;
    use = bsearch(&wanted, t->uses->of, t->uses->n, sizeof wanted, by_event);
    if (!use)
        return;
    if (use->shape == SCA_LOCK_RELEASE) {
        let_go(&t->locks[use->lock], rank, event);
        return;
    }
    t->asked[rank] = use;
    t->asking[t->nasking++] = rank;
}

bool sca_lock_turns_asks(const struct sca_lock_turns *t, uint32_t rank)
{
    return t && t->asked[rank];
}

static bool is_to_be_had(const struct sca_lock_turns *t, const struct sca_lock_use *use)
{
    const struct lock *lock = &t->locks[use->lock];
    return lock->holder == SCA_NONE && (use->shape == SCA_LOCK_SHARED || !lock->readers);
}

uint32_t sca_lock_turns_next(const struct sca_lock_turns *t, const double *enter)
{
    uint32_t first = SCA_NONE;
    for (uint32_t i = 0; t && i < t->nasking; i++) {
        uint32_t rank = t->asking[i];
        const struct sca_lock_use *use = t->asked[rank];
        if (is_to_be_had(t, use) &&
            (first == SCA_NONE || enter[use->event] < enter[t->asked[first]->event] ||
             (enter[use->event] <= enter[t->asked[first]->event] && rank < first)))
            first = rank;
    }
    return first;
}

static void take(struct lock *lock, uint32_t rank, enum sca_lock_shape shape)
{
    if (shape == SCA_LOCK_SHARED)
        lock->readers++;
    else
        lock->holder = rank;
}

static void put_link(struct sca_replay_links *links, uint32_t event, uint32_t on)
{
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_LOCK)
            links->input[i] = on;
}

/* Who shares it waits for the last who had it alone; who wants it alone for the readers after him, or
 * for him. */
void sca_lock_turns_grant(struct sca_lock_turns *t, uint32_t rank)
{
    const struct sca_lock_use *use = t->asked[rank];
    struct lock *lock = &t->locks[use->lock];
    bool alone = use->shape == SCA_LOCK_EXCLUSIVE;
    uint32_t on = alone && lock->reader_left != SCA_NO_EVENT ? lock->reader_left : lock->let_go;
    if (on != SCA_NO_EVENT && sca_links_rank(t->links, on) != rank)
        put_link(t->links, use->event, on);
    take(lock, rank, use->shape);
    if (alone)
        lock->reader_left = SCA_NO_EVENT;
    t->asked[rank] = NULL;
    for (uint32_t i = 0; i < t->nasking; i++)
        if (t->asking[i] == rank)
            t->asking[i] = t->asking[--t->nasking];
}
