#include "profile/event_io.h"
#include <string.h>

/* The 64 steps of an octave, times 2^32. */
static const uint64_t steps[64] = {
    0x100000000, 0x102c9a3e7, 0x1059b0d31, 0x108745187, 0x10b5586d0, 0x10e3ec32d, 0x111301d01,
    0x11429aaeb, 0x1172b83c8, 0x11a35beb7, 0x11d487317, 0x12063b886, 0x12387a6e7, 0x126b4565e,
    0x129e9df52, 0x12d285a6e, 0x1306fe0a3, 0x133c08b26, 0x1371a7374, 0x13a7db34e, 0x13dea64c1,
    0x14160a21f, 0x144e08606, 0x1486a2b5c, 0x14bfdad53, 0x14f9b276a, 0x15342b56a, 0x156f4736b,
    0x15ab07dd5, 0x15e76f15b, 0x16247eb04, 0x166238825, 0x16a09e668, 0x16dfb23c6, 0x171f75e8f,
    0x175feb564, 0x17a11473f, 0x17e2f336d, 0x182589995, 0x1868d99b4, 0x18ace5423, 0x18f1ae991,
    0x193737b0d, 0x197d829fe, 0x19c49182a, 0x1a0c667b6, 0x1a5503b24, 0x1a9e6b558, 0x1ae89f996,
    0x1b33a2b85, 0x1b7f76f30, 0x1bcc1e905, 0x1c199bdd8, 0x1c67f12e5, 0x1cb720dcf, 0x1d072d4a0,
    0x1d5818dd0, 0x1da9e603e, 0x1dfc97338, 0x1e502ee79, 0x1ea4afa2a, 0x1efa1bee6, 0x1f50765b7,
    0x1fa7c181a,
};

/* The interval of a code, times 2^32 where that fits: codes of small intervals are finer than 1 ns.
 */
static double scaled(uint32_t code)
{
    double value = (double)steps[code & 63];
    return code >> 6 < 32 ? value * (double)(1u << (code >> 6))
                          : value * 4294967296.0 * (double)((uint64_t)1 << ((code >> 6) - 32));
}

/* Code 0 is no interval at all; the others begin at 1 ns. */
uint64_t sca_event_io_interval_value(uint32_t code)
{
    if (!code)
        return 0;
    if (code > 63 * 64)
        code = 63 * 64;
    return (uint64_t)(scaled(code - 1) / 4294967296.0 + 0.5);
}

/* Short intervals, between calls that follow each other at once, are many and matter little: there
 * only every so many steps are used. */
static uint32_t stride_of(uint32_t octave)
{
    return octave < 10 ? 8 : octave < 13 ? 4 : 1;
}

uint32_t sca_event_io_interval_code(uint64_t interval_ns, uint64_t chance)
{
    if (!interval_ns)
        return 0;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(interval_ns), step = 0,
             stride = stride_of(octave);
    double interval = (double)interval_ns * 4294967296.0;
    for (uint32_t half = 32; half >= stride; half /= 2)
        if (interval >= scaled(octave << 6 | (step + half)))
            step += half;
    uint32_t code = octave << 6 | step;
    double low = scaled(code), high = scaled(code + stride);
    bool up = (double)(chance >> 11) * 0x1p-53 * (high - low) < interval - low;
    code += up ? stride + 1 : 1;
    return code < 64 * 64 ? code : 64 * 64;
}

static uint64_t chance_of(uint64_t seed, uint32_t i)
{
    uint64_t x = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* What an operation is compared with: the one in its place at the site's previous event. */
static struct sca_op model_of(const struct sca_events *window, const struct sca_event *previous,
                              uint32_t place, uint8_t kind)
{
    const struct sca_op *ops = window->ops;
    if (!previous || place >= previous->nops || ops[previous->first_op + place].kind != kind)
        return sca_event_io_first(window->home, kind);
    return ops[previous->first_op + place];
}

static bool follows(const struct sca_op *op, const struct sca_op *model)
{
    return op->kind == model->kind && op->shape == model->shape && op->comm == model->comm &&
           op->peer == model->peer && op->tag == model->tag && op->bytes == model->bytes &&
           op->number == model->number + 1;
}

static bool repeats(const struct sca_event *event, const struct sca_event *previous,
                    const struct sca_op *ops)
{
    if (!previous || previous->nops != event->nops)
        return false;
    for (uint32_t i = 0; i < event->nops; i++)
        if (!follows(&ops[event->first_op + i], &ops[previous->first_op + i]))
            return false;
    return true;
}

static void put_op(struct sca_writer *w, const struct sca_op *op, const struct sca_op *model)
{
    int64_t skip = (int64_t)(op->number - (model->number + 1));
    sca_wire_put_u8(w, (uint8_t)(op->kind | (op->comm != model->comm) << 3 |
                                 (op->peer != model->peer) << 4 | (op->tag != model->tag) << 5 |
                                 (op->bytes != model->bytes) << 6 | (skip != 0) << 7));
    if (op->kind >= SCA_OP_COLLECTIVE)
        sca_wire_put_u8(w, op->shape);
    if (op->comm != model->comm)
        sca_wire_put_varint(w, op->comm);
    if (op->peer != model->peer)
        sca_wire_put_svarint(w, (int64_t)op->peer - model->peer);
    if (op->tag != model->tag)
        sca_wire_put_svarint(w, (int64_t)op->tag - model->tag);
    if (op->bytes != model->bytes)
        sca_wire_put_svarint(w, (int64_t)(op->bytes - model->bytes));
    if (skip)
        sca_wire_put_svarint(w, skip);
}

/* In two planes: the octaves are much alike, the steps are not. */
static void put_intervals(struct sca_writer *w, const struct sca_events *window, uint64_t seed)
{
    for (int plane = 0; plane < 2; plane++)
        for (uint32_t e = 0; e < window->nevents; e++) {
            uint32_t code =
                sca_event_io_interval_code(window->events[e].gap_ns, chance_of(seed, e));
            sca_wire_put_u8(w, (uint8_t)(plane ? code & 63 : code >> 6));
        }
}

static void put_times(struct sca_writer *w, const struct sca_events *window, uint32_t e)
{
    const struct sca_event_time *t = &window->times[e];
    uint64_t before = e ? t[-1].exit_ns : window->begin_ns;
    sca_wire_put_varint(w, window->events[e].gap_ns);
    sca_wire_put_svarint(w, (int64_t)(t->enter_ns - before));
    sca_wire_put_varint(w, t->exit_ns - t->enter_ns);
}

void sca_event_io_encode(struct sca_writer *w, const struct sca_events *window, uint32_t *last,
                         uint64_t seed)
{
    const struct sca_event *events = window->events;
    const struct sca_op *ops = window->ops;
    if (!window->times)
        put_intervals(w, window, seed);
    for (uint32_t e = 0; e < window->nevents; e++) {
        const struct sca_event *event = &events[e];
        const struct sca_event *previous = last[event->site] ? &events[last[event->site] - 1] : 0;
        bool same = repeats(event, previous, ops);
        sca_wire_put_varint(w, (uint64_t)event->site << 1 | same);
        if (window->times)
            put_times(w, window, e);
        last[event->site] = e + 1;
        if (same)
            continue;
        sca_wire_put_varint(w, event->nops);
        for (uint32_t i = 0; i < event->nops; i++) {
            const struct sca_op *op = &ops[event->first_op + i];
            const struct sca_op model = model_of(window, previous, i, op->kind);
            put_op(w, op, &model);
        }
    }
    for (uint32_t e = 0; e < window->nevents; e++)
        last[events[e].site] = 0;
}
