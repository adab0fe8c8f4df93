#include "replay/word_pairs.h"

#include <stdlib.h>

struct word_use { /* of a word */
    uint32_t window, event, rank, time;
    int32_t target, tag;
    bool seen;
};

static bool is_use(const struct sca_replay_trace_op *op)
{
    return op->kind == SCA_OP_LOCK && op->peer >= 0 &&
           (op->shape == SCA_LOCK_SET || op->shape == SCA_LOCK_SEEN);
}

static uint32_t count(const struct sca_trace *trace)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++)
            n += is_use(&trace->sequences[r].ops[k]);
    return n;
}

static void collect(const struct sca_trace *trace, struct word_use *out)
{
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t k = 0; k < trace->sequences[r].nops; k++) {
            const struct sca_replay_trace_op *op = &trace->sequences[r].ops[k];
            if (is_use(op))
                *out++ = (struct word_use){.window = op->comm,
                                           .event = trace->first[r] + op->event,
                                           .rank = r,
                                           .time = op->number,
                                           .target = op->peer,
                                           .tag = op->tag,
                                           .seen = op->shape == SCA_LOCK_SEEN};
        }
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_word(const struct word_use *x, const struct word_use *y)
{
    int c = compare(x->window, y->window);
    c = c ? c : compare(x->target, y->target);
    return c ? c : compare(x->tag, y->tag);
}

/* Times go round (replay_trace.h): of two, the later is less than half a round ahead. */
static int by_time(const void *a, const void *b)
{
    const struct word_use *x = a, *y = b;
    int c = by_word(x, y);
    c = c ? c : compare((int32_t)(x->time - y->time), 0);
    c = c ? c : compare(x->seen, y->seen);
    return c ? c : compare(x->event, y->event);
}

/* The last of another rank that set it before. */
static const struct word_use *setter(const struct word_use *uses, uint32_t i)
{
    for (uint32_t k = i; k-- > 0 && !by_word(&uses[k], &uses[i]);)
        if (!uses[k].seen && uses[k].rank != uses[i].rank)
            return &uses[k];
    return NULL;
}

void sca_word_pairs_find(struct sca_workspace *space, const struct sca_trace *trace,
                         struct sca_message_pairs *out)
{
    uint32_t n = count(trace);
    struct word_use *uses = sca_workspace_alloc(space, n, sizeof *uses);
    *out = (struct sca_message_pairs){.items = sca_workspace_alloc(space, n, sizeof *out->items)};
    collect(trace, uses);
    if (n)
        qsort(uses, n, sizeof *uses, by_time);
    for (uint32_t i = 0; i < n; i++) {
        const struct word_use *by = uses[i].seen ? setter(uses, i) : NULL;
        if (by)
            out->items[out->count++] =
                (struct sca_message_pair){uses[i].event, by->event, SCA_INPUT_WORD};
    }
}
