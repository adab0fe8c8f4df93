#include "replay/lockings.h"

#include <setjmp.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct known { /* a lock */
    struct {
        uint32_t window, target, tag;
    } key;
    uint32_t number;
    UT_hash_handle hh;
};

static uint32_t number_of(struct sca_workspace *scratch, struct known **all,
                          const struct sca_replay_trace_op *op)
{
    struct known wanted = {.key = {op->comm, (uint32_t)op->peer, (uint32_t)op->tag}}, *found;
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
    return op->kind == SCA_OP_LOCK &&
           (op->shape <= SCA_LOCK_RELEASE ? op->peer >= 0 : op->shape <= SCA_LOCK_RELEASE_ALL);
}

static bool is_of_all(const struct sca_replay_trace_op *op)
{
    return op->shape > SCA_LOCK_RELEASE;
}

static uint32_t count_uses(const struct sca_trace *trace)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++)
            n += is_lock(&trace->sequences[r].ops[k]);
    return n;
}

static void note_windows(struct sca_workspace *space, const struct known *known,
                         struct sca_lockings *out)
{
    out->nlocks = HASH_COUNT(known);
    out->window = sca_workspace_alloc(space, out->nlocks, sizeof *out->window);
    for (; known; known = known->hh.next)
        out->window[known->number] = known->key.tag ? SCA_NONE : known->key.window;
}

struct sca_lockings *sca_lockings_find(struct sca_workspace *space, const struct sca_trace *trace)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct known *known = NULL;
    uint32_t n = count_uses(trace);
    struct sca_lockings *out = n ? sca_workspace_alloc(space, 1, sizeof *out) : NULL;
    if (!out)
        return NULL;
    out->of = sca_workspace_alloc(space, n, sizeof *out->of);
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++) {
            const struct sca_replay_trace_op *op = &trace->sequences[r].ops[k];
            if (is_lock(op))
                out->of[out->n++] =
                    (struct sca_locking){trace->first[r] + op->event,
                                         is_of_all(op) ? op->comm : number_of(&scratch, &known, op),
                                         (enum sca_lock_shape)op->shape};
        }
    note_windows(space, known, out);
    HASH_CLEAR(hh, known);
    sca_workspace_free(&scratch);
    return out;
}
