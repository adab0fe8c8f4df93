#include "trace/window_cut.h"

/* What a rank has to do with a channel, or a communicator, in a window. */
struct use {
    uint32_t comm;
    int32_t from, to, tag; /* from and to -1: a collective */
    uint32_t received;     /* or sent; collectives 0 */
    uint32_t rank, number;
};

/* Ranks that hang together: each leads to the first of its part, and so many parts are left. */
struct hanging {
    uint32_t *before;
    uint32_t count;
};

static uint32_t first_of(const struct hanging *together, uint32_t rank)
{
    while (together->before[rank] != rank)
        rank = together->before[rank] = together->before[together->before[rank]];
    return rank;
}

static void join(struct hanging *together, uint32_t a, uint32_t b)
{
    a = first_of(together, a);
    b = first_of(together, b);
    if (a == b)
        return;
    together->before[a > b ? a : b] = a > b ? b : a;
    together->count--;
}

static bool is_message(const struct sca_replay_trace_op *op)
{
    return (op->kind == SCA_OP_SEND || op->kind == SCA_OP_RECV) && op->peer >= 0;
}

static bool is_collective(const struct sca_replay_trace_op *op)
{
    return op->kind == SCA_OP_COLLECTIVE || op->kind == SCA_OP_COLLECTIVE_POST;
}

static struct use use_of(const struct sca_replay_trace_op *op, uint32_t rank)
{
    struct use use = {.comm = op->comm, .rank = rank, .number = op->number};
    use.received = op->kind == SCA_OP_RECV;
    use.from = use.to = -1;
    if (is_collective(op))
        return use;
    use.from = use.received ? op->peer : (int32_t)rank;
    use.to = use.received ? (int32_t)rank : op->peer;
    use.tag = op->tag;
    return use;
}

static uint32_t list_uses(const struct sca_trace *window, struct use *uses)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < window->nranks; r++)
        for (uint32_t i = 0; i < window->sequences[r].nops; i++) {
            const struct sca_replay_trace_op *op = &window->sequences[r].ops[i];
            if (is_message(op) || is_collective(op))
                uses[n++] = use_of(op, r);
        }
    return n;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_channel(const struct use *x, const struct use *y)
{
    int order = compare(x->comm, y->comm);
    order = order ? order : compare(x->from, y->from);
    order = order ? order : compare(x->to, y->to);
    return order ? order : compare(x->tag, y->tag);
}

static int by_user(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    int order = by_channel(x, y);
    order = order ? order : compare(x->received, y->received);
    order = order ? order : compare(x->rank, y->rank);
    return order ? order : compare(x->number, y->number);
}

/* One channel's, what was sent first. Where nothing was sent, what is received says nothing. */
static bool messages_fit(const struct use *uses, uint32_t n, struct hanging *together)
{
    uint32_t sent = 0;
    while (sent < n && !uses[sent].received)
        sent++;
    for (uint32_t i = sent; sent && i < n; i++) {
        if (uses[i].number > uses[sent - 1].number)
            return false;
        if (uses[i].number >= uses[0].number)
            join(together, (uint32_t)uses[i].from, (uint32_t)uses[i].to);
    }
    return true;
}

/* One communicator's: each rank that takes part goes from the same one to the same one. */
static bool collectives_fit(const struct use *uses, uint32_t n, struct hanging *together)
{
    uint32_t first = uses[0].number, last = uses[n - 1].number;
    for (uint32_t i = 0; i < n; i++) {
        bool begins = !i || uses[i].rank != uses[i - 1].rank;
        bool ends = i + 1 == n || uses[i].rank != uses[i + 1].rank;
        if ((begins && uses[i].number != first) || (ends && uses[i].number != last))
            return false;
        join(together, uses[i].rank, uses[0].rank);
    }
    return true;
}

static bool all_fit(const struct use *uses, uint32_t n, struct hanging *together)
{
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !by_channel(&uses[first], &uses[end]);)
            end++;
        bool fits = uses[first].from < 0 ? collectives_fit(&uses[first], end - first, together)
                                         : messages_fit(&uses[first], end - first, together);
        if (!fits)
            return false;
    }
    return true;
}

static bool is_consistent(struct sca_workspace *space, const struct sca_trace *window,
                          struct hanging *together)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    size_t most = 0;
    for (uint32_t r = 0; r < window->nranks; r++)
        most += window->sequences[r].nops;
    struct use *uses = sca_workspace_alloc(&scratch, most, sizeof *uses);
    uint32_t n = list_uses(window, uses);
    sca_workspace_put_in_order(&scratch, uses, n, sizeof *uses, by_user);
    bool fits = all_fit(uses, n, together);
    sca_workspace_free(&scratch);
    return fits;
}

bool sca_window_cut_is_consistent(struct sca_workspace *space, const struct sca_trace *windows,
                                  uint32_t count)
{
    uint32_t nranks = windows[0].nranks;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct hanging together = {sca_workspace_alloc(&scratch, nranks, sizeof(uint32_t)), nranks};
    bool fits = true;
    for (uint32_t r = 0; r < nranks; r++)
        together.before[r] = r;
    for (uint32_t i = 0; i < count && fits; i++)
        fits = is_consistent(space, &windows[i], &together);
    sca_workspace_free(&scratch);
    return fits && together.count == 1;
}
