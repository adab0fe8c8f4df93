/* Brings the two sides of each message together: who waits, on whom. */
#include "replay/message_pairs.h"

#include <stdlib.h>
#include <string.h>

struct place {         /* of an operation */
    uint32_t rank, op; /* op: of the rank's sequence */
};

/* An operation as the other side knows it; sorting brings the two sides together. */
struct side {
    uint32_t number, event, comm, destination;
    int32_t tag;
    uint8_t kind;
};

struct pairing {
    const struct sca_trace *trace;
    uint32_t *first; /* per sending rank, into places */
    struct place *places;
    struct sca_message_pairs *out;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool is_message(const struct sca_replay_trace_op *op)
{
    return op->kind <= SCA_OP_SEND_DONE && op->peer >= 0;
}

static bool is_outgoing(const struct sca_replay_trace_op *op)
{
    return op->kind == SCA_OP_SEND || op->kind == SCA_OP_SEND_DONE;
}

static uint32_t source_of(const struct sca_replay_trace_op *op, uint32_t rank)
{
    return is_outgoing(op) ? rank : (uint32_t)op->peer;
}

typedef void visit(struct pairing *p, const struct sca_replay_trace_op *op, uint32_t rank,
                   uint32_t k);

/* By rank, by event: places rise. */
static void for_all_messages(struct pairing *p, visit *visit)
{
    for (uint32_t r = 0; r < p->trace->nranks; r++)
        for (uint32_t k = 0; k < p->trace->sequences[r].nops; k++)
            if (is_message(&p->trace->sequences[r].ops[k]))
                visit(p, &p->trace->sequences[r].ops[k], r, k);
}

static void count_one(struct pairing *p, const struct sca_replay_trace_op *op, uint32_t rank,
                      uint32_t k)
{
    (void)k;
    p->first[source_of(op, rank) + 1]++;
}

/* Moves the beginnings; they are put back when all is placed. */
static void place_one(struct pairing *p, const struct sca_replay_trace_op *op, uint32_t rank,
                      uint32_t k)
{
    p->places[p->first[source_of(op, rank)]++] = (struct place){rank, k};
}

/* All of one sender are brought together. */
static void place_all(struct pairing *p, struct sca_workspace *scratch)
{
    uint32_t nranks = p->trace->nranks;
    p->first = sca_workspace_alloc(scratch, (size_t)nranks + 1, sizeof *p->first);
    for_all_messages(p, count_one);
    for (uint32_t r = 0; r < nranks; r++)
        p->first[r + 1] += p->first[r];
    p->places = sca_workspace_alloc(scratch, p->first[nranks], sizeof *p->places);
    for_all_messages(p, place_one);
    memmove(p->first + 1, p->first, nranks * sizeof *p->first);
    p->first[0] = 0;
}

static int by_channel(const struct side *x, const struct side *y)
{
    int c = compare(x->comm, y->comm);
    c = c ? c : compare(x->destination, y->destination);
    c = c ? c : (x->tag > y->tag) - (x->tag < y->tag);
    return c ? c : compare(x->number, y->number);
}

static int by_message(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    int c = by_channel(x, y);
    return c ? c : compare(x->event, y->event);
}

static struct side side_of(const struct pairing *p, const struct place *at)
{
    const struct sca_replay_trace_op *op = &p->trace->sequences[at->rank].ops[at->op];
    return (struct side){.number = op->number,
                         .event = p->trace->first[at->rank] + op->event,
                         .comm = op->comm,
                         .destination = is_outgoing(op) ? (uint32_t)op->peer : at->rank,
                         .tag = op->tag,
                         .kind = (uint8_t)op->kind};
}

static void add_pair(struct pairing *p, uint32_t waiter, uint32_t on, uint8_t kind)
{
    bool known = waiter != SCA_NO_EVENT && on != SCA_NO_EVENT;
    if (known && waiter != on)
        p->out->items[p->out->count++] = (struct sca_message_pair){waiter, on, kind};
}

static void pair_sides(struct pairing *p, const struct side *s, uint32_t n)
{
    uint32_t event[4] = {SCA_NO_EVENT, SCA_NO_EVENT, SCA_NO_EVENT, SCA_NO_EVENT};
    for (uint32_t i = 0; i < n; i++)
        event[s[i].kind] = s[i].event;
    add_pair(p, event[SCA_OP_RECV], event[SCA_OP_SEND], SCA_OP_RECV);
    add_pair(p, event[SCA_OP_SEND_DONE], event[SCA_OP_RECV_POST], SCA_OP_SEND_DONE);
}

static void pair_messages_of(struct pairing *p, uint32_t sender, struct side *sides)
{
    uint32_t n = p->first[sender + 1] - p->first[sender];
    for (uint32_t i = 0; i < n; i++)
        sides[i] = side_of(p, &p->places[p->first[sender] + i]);
    qsort(sides, n, sizeof *sides, by_message);
    for (uint32_t i = 0; i < n;) {
        uint32_t same = 1;
        while (i + same < n && !by_channel(&sides[i], &sides[i + same]))
            same++;
        pair_sides(p, sides + i, same);
        i += same;
    }
}

void sca_message_pairs_find(struct sca_workspace *space, const struct sca_trace *trace,
                            struct sca_message_pairs *out)
{
    struct pairing p = {.trace = trace, .out = out};
    uint32_t most = 0;
    place_all(&p, space);
    for (uint32_t r = 0; r < trace->nranks; r++)
        if (p.first[r + 1] - p.first[r] > most)
            most = p.first[r + 1] - p.first[r];
    struct side *sides = sca_workspace_alloc(space, most, sizeof *sides);
    *out = (struct sca_message_pairs){
        .items = sca_workspace_alloc(space, p.first[trace->nranks], sizeof *out->items)};
    for (uint32_t r = 0; r < trace->nranks; r++)
        pair_messages_of(&p, r, sides);
}
