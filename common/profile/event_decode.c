#include "profile/event_io.h"
#include "sca_error.h"
#include <string.h>

/* A window never holds more; repeats could claim any number. */
enum { MOST_OPS = 1 << 20, MOST_OPS_TIMED = 1 << 23 };

struct decoder {
    struct sca_reader in;
    struct sca_event *events; /* NULL: only counting */
    struct sca_op *ops;
    uint32_t *last; /* event at a site + 1; when counting, its number of operations + 1 */
    struct sca_event_time *times; /* may be NULL */
    uint64_t now_ns;              /* the exit before */
    const uint8_t *intervals;     /* two planes of nevents bytes; NULL: timed */
    uint32_t nevents, nsites, nops;
    int32_t home;
};

static struct sca_op model_of(const struct decoder *d, const struct sca_event *previous,
                              uint32_t place, uint8_t kind)
{
    if (!d->ops || !previous || place >= previous->nops ||
        d->ops[previous->first_op + place].kind != kind)
        return sca_event_io_first(d->home, kind);
    return d->ops[previous->first_op + place];
}

static void get_op(struct decoder *d, const struct sca_event *previous, uint32_t place,
                   struct sca_op *out)
{
    uint8_t flags = sca_wire_get_u8(&d->in), kind = flags & 7;
    const struct sca_op model = model_of(d, previous, place, kind);
    struct sca_op op = model;
    op.kind = kind;
    op.number++;
    if (kind > SCA_OP_LOCK)
        d->in.failed = 1;
    if (kind >= SCA_OP_COLLECTIVE)
        op.shape = sca_wire_get_u8(&d->in);
    if (flags & 8)
        op.comm = (uint32_t)sca_wire_get_varint(&d->in);
    if (flags & 16)
        op.peer = (int32_t)((uint64_t)model.peer + (uint64_t)sca_wire_get_svarint(&d->in));
    if (flags & 32)
        op.tag = (int32_t)((uint64_t)model.tag + (uint64_t)sca_wire_get_svarint(&d->in));
    if (flags & 64)
        op.bytes = model.bytes + (uint64_t)sca_wire_get_svarint(&d->in);
    if (flags & 128)
        op.number += (uint64_t)sca_wire_get_svarint(&d->in);
    if (op.shape > (kind == SCA_OP_LOCK ? (int)SCA_LOCK_SEEN : (int)SCA_PREFIX))
        d->in.failed = 1;
    if (out)
        *out = op;
}

/* All operations as at the site's previous event, one number on. */
static void repeat(struct decoder *d, const struct sca_event *previous, uint32_t nops)
{
    for (uint32_t i = 0; d->ops && i < nops; i++) {
        struct sca_op *op = &d->ops[d->nops + i];
        *op = d->ops[previous->first_op + i];
        op->number++;
    }
}

static uint32_t get_ops(struct decoder *d, const struct sca_event *previous)
{
    uint32_t n = (uint32_t)sca_wire_get_count(&d->in, 1);
    for (uint32_t i = 0; i < n && !d->in.failed; i++)
        get_op(d, previous, i, d->ops ? &d->ops[d->nops + i] : NULL);
    return n;
}

static uint64_t get_interval(struct decoder *d, uint32_t e)
{
    if (d->intervals) {
        uint32_t high = d->intervals[e], low = d->intervals[d->nevents + e];
        d->in.failed |= high > 64 || low > 63;
        return sca_event_io_interval_value(high << 6 | low);
    }
    uint64_t interval = sca_wire_get_varint(&d->in);
    uint64_t enter_ns = d->now_ns + (uint64_t)sca_wire_get_svarint(&d->in);
    d->now_ns = enter_ns + sca_wire_get_varint(&d->in);
    if (d->times)
        d->times[e] = (struct sca_event_time){enter_ns, d->now_ns};
    return interval;
}

static void get_event(struct decoder *d, uint32_t e)
{
    uint64_t head = sca_wire_get_varint(&d->in);
    uint64_t interval_ns = get_interval(d, e);
    if (d->in.failed || head >> 1 >= d->nsites || (head & 1 && !d->last[head >> 1])) {
        d->in.failed = 1;
        return;
    }
    uint32_t *last = &d->last[head >> 1];
    const struct sca_event *previous = d->events && *last ? &d->events[*last - 1] : NULL;
    uint32_t nops = previous ? previous->nops : *last - 1;
    if (head & 1)
        repeat(d, previous, nops);
    else
        nops = get_ops(d, previous);
    if (d->events)
        d->events[e] = (struct sca_event){(uint32_t)(head >> 1), d->nops, nops, interval_ns};
    *last = (d->events ? e : nops) + 1;
    d->nops += nops;
    if (d->nops > (d->intervals ? MOST_OPS : MOST_OPS_TIMED))
        d->in.failed = 1;
}

static int run(struct decoder *d, uint32_t nevents, bool timed)
{
    d->nevents = nevents;
    d->intervals = timed ? NULL : sca_wire_get_bytes(&d->in, 2 * (size_t)nevents);
    for (uint32_t e = 0; e < nevents && !d->in.failed; e++)
        get_event(d, e);
    memset(d->last, 0, d->nsites * sizeof *d->last);
    if (d->in.failed || sca_wire_left(&d->in))
        return sca_fail(SCA_EFORMAT,
                        "events of a window end early or are damaged at byte %zu of %zu",
                        d->in.position, d->in.length);
    return SCA_OK;
}

int sca_event_io_count(const void *bytes, size_t size, uint32_t nevents, bool timed, uint32_t *last,
                       uint32_t nsites, uint32_t *nops)
{
    struct decoder d = {.last = last, .nsites = nsites};
    sca_wire_reader_init(&d.in, bytes, size);
    int status = run(&d, nevents, timed);
    *nops = d.nops;
    return status;
}

int sca_event_io_decode(const void *bytes, size_t size, const struct sca_events *to, uint32_t *last,
                        uint32_t nsites)
{
    struct decoder d = {.last = last,
                        .nsites = nsites,
                        .events = to->events,
                        .ops = to->ops,
                        .times = to->times,
                        .now_ns = to->begin_ns,
                        .home = to->home};
    sca_wire_reader_init(&d.in, bytes, size);
    return run(&d, to->nevents, to->times != NULL);
}
