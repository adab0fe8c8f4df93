/* What is new in copies of live states. Both directions are one walk over what the receiver knows,
 * so that the sender always knows it too. */
#include "profile/copy_memory.h"
#include "profile/tables.h"
#include "sca_copy.h"
#include "sca_error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    MS = 1000000,
    ADDED_BITS = 3,     /* significant ones of what is added to a time, */
    NEW_BITS = 7,       /* of one that was not there before */
    TOO_LITTLE = 16384, /* ns that wait until there is more */
    TICK_BITS = 10,     /* of instants of messages, as in a profile */
    BOUND_FIELD = 10,   /* bytes of a number at most */
    BOUND_RANK = 4096,  /* of a header */
    MOST_RECORDS = 1 << 24
};

struct passing {
    struct sca_writer *to; /* NULL: it is received */
    struct sca_reader *from;
    struct sca_copy *known;
    const struct sca_copy *now; /* NULL: it is received */
    uint32_t n;
    uint32_t (*before)[SCA_T_COUNT]; /* [n]: records that were there before this message */
    bool failed;                     /* no memory */
};

/* ---- numbers ---- */

static uint64_t pass_exact(struct passing *w, uint64_t now, uint64_t base)
{
    if (!w->to)
        return base + (uint64_t)sca_wire_get_svarint(w->from);
    sca_wire_put_svarint(w->to, (int64_t)(now - base));
    return now;
}

static uint64_t pass_instant(struct passing *w, uint64_t now, uint64_t known)
{
    uint64_t ms = pass_exact(w, now / MS, known / MS);
    return ms == known / MS ? known : ms * MS;
}

static unsigned doublings(uint64_t value, unsigned bits)
{
    unsigned length = 64 - (unsigned)__builtin_clzll(value);
    return length > bits ? length - bits : 0;
}

/* The upper bits, rounded to the nearest, and how often they are doubled. */
static uint64_t code_of(uint64_t value, unsigned bits)
{
    uint64_t least = (uint64_t)1 << (bits - 1);
    if (value < 2 * least)
        return value;
    uint64_t half = (uint64_t)1 << doublings(value, bits) >> 1;
    value = value > UINT64_MAX - half ? UINT64_MAX : value + half;
    unsigned exponent = doublings(value, bits);
    return ((uint64_t)(exponent + 1) << (bits - 1)) + (value >> exponent) - least;
}

static uint64_t value_of(uint64_t code, unsigned bits)
{
    uint64_t least = (uint64_t)1 << (bits - 1), exponent = code >> (bits - 1);
    if (exponent < 2)
        return code;
    return exponent - 1 > 64 - bits ? 0 : (code % least + least) << (exponent - 1);
}

static uint64_t pass_rounded(struct passing *w, uint64_t now, uint64_t known, unsigned bits)
{
    int64_t code = 0;
    if (w->to) {
        int64_t added = (int64_t)(now - known);
        uint64_t size = added < 0 ? 0 - (uint64_t)added : (uint64_t)added;
        code = (int64_t)code_of(size, bits);
        code = added < 0 ? -code : code;
        sca_wire_put_svarint(w->to, code);
    } else {
        code = sca_wire_get_svarint(w->from);
    }
    uint64_t size = value_of(code < 0 ? 0 - (uint64_t)code : (uint64_t)code, bits);
    return code < 0 ? known - size : known + size;
}

/* ---- headers ---- */

enum kind { EXACT, INSTANT, TIME };

struct number {
    uint16_t offset;
    uint8_t size, kind, layer;
};
#define NUMBER(field, kind, layer)                                                                 \
    {offsetof(struct sca_part_header, field), sizeof(((struct sca_part_header *)0)->field), kind,  \
     layer}
#define PRESENT(i, field, kind) NUMBER(present[i].field, kind, SCA_COPY_MOMENT)

static const struct number numbers[] = {
    NUMBER(size, EXACT, SCA_COPY_MOMENT),
    NUMBER(state, EXACT, SCA_COPY_MOMENT),
    NUMBER(nmetrics, EXACT, SCA_COPY_MOMENT),
    NUMBER(init_ns, EXACT, SCA_COPY_MOMENT),
    NUMBER(process, EXACT, SCA_COPY_MOMENT),
    NUMBER(process_start, INSTANT, SCA_COPY_MOMENT),
    NUMBER(last_ns, INSTANT, SCA_COPY_MOMENT),
    NUMBER(seen_ns, INSTANT, SCA_COPY_MOMENT),
    NUMBER(sampled_ns, INSTANT, SCA_COPY_TOTALS),
    NUMBER(sampled, EXACT, SCA_COPY_TOTALS),
    NUMBER(wall_ns, TIME, SCA_COPY_TOTALS),
    NUMBER(cpu_ns, TIME, SCA_COPY_TOTALS),
    NUMBER(mpi_ns, TIME, SCA_COPY_TOTALS),
    NUMBER(mpi_calls, EXACT, SCA_COPY_TOTALS),
    NUMBER(tool_ns, TIME, SCA_COPY_TOTALS),
    NUMBER(tool_gap_ns, TIME, SCA_COPY_TOTALS),
    NUMBER(samples, EXACT, SCA_COPY_TOTALS),
    NUMBER(samples_in_mpi, EXACT, SCA_COPY_TOTALS),
    NUMBER(samples_dropped, EXACT, SCA_COPY_TOTALS),
    NUMBER(sample_period_ns, EXACT, SCA_COPY_TOTALS),
    NUMBER(sample_squares, TIME, SCA_COPY_TOTALS),
};

static uint64_t load(const void *at, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, at, size); /* little-endian, as parts are */
    return value;
}

static uint64_t pass_time(struct passing *w, uint64_t now, uint64_t known)
{
    if (w->to && now - known + TOO_LITTLE < 2 * TOO_LITTLE)
        now = known;
    return pass_rounded(w, now, known, ADDED_BITS);
}

static uint64_t pass_kind(struct passing *w, uint8_t kind, uint64_t now, uint64_t known)
{
    return kind == INSTANT ? pass_instant(w, now, known)
           : kind == TIME  ? pass_time(w, now, known)
                           : pass_exact(w, now, known);
}

/* A field of the headers, of one rank after the other. */
static void pass_number(struct passing *w, size_t offset, size_t size, uint8_t kind)
{
    for (uint32_t r = 0; r < w->n; r++) {
        uint8_t *at = (uint8_t *)&w->known[r].header + offset;
        uint64_t now = w->now ? load((const uint8_t *)&w->now[r].header + offset, size) : 0;
        now = pass_kind(w, kind, now, load(at, size));
        memcpy(at, &now, size);
    }
}

/* Which threads there are, and how many requests each awaits: only those are passed. */
static void pass_present(struct passing *w, int i)
{
    const size_t at =
        offsetof(struct sca_part_header, present) + (size_t)i * sizeof(struct sca_part_present);
#define THREAD(field, kind)                                                                        \
    pass_number(w, at + offsetof(struct sca_part_present, field),                                  \
                sizeof(((struct sca_part_present *)0)->field), kind)
    THREAD(thread, EXACT);
    THREAD(turn, EXACT);
    THREAD(detail, EXACT);
    THREAD(enter_ns, INSTANT);
    THREAD(site, EXACT);
    THREAD(nawaited, EXACT);
#undef THREAD
    uint32_t most = 0;
    for (uint32_t r = 0; r < w->n; r++) {
        struct sca_part_present *p = &w->known[r].header.present[i];
        uint32_t awaited = p->nawaited & ~(SCA_PRESENT_ANY | SCA_PRESENT_POLLS);
        p->exit_ns = p->enter_ns;
        p->left = p->site;
        most = awaited > most ? awaited : most;
    }
    most = most < SCA_PRESENT_AWAITED ? most : SCA_PRESENT_AWAITED;
    for (uint32_t k = 0; k < most; k++)
        for (size_t word = 0; word < sizeof(struct sca_part_awaited); word += sizeof(uint32_t))
            pass_number(w,
                        at + offsetof(struct sca_part_present, awaited) +
                            k * sizeof(struct sca_part_awaited) + word,
                        sizeof(uint32_t), EXACT);
}

static void pass_headers(struct passing *w, uint8_t layer)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].layer == layer)
            pass_number(w, numbers[i].offset, numbers[i].size, numbers[i].kind);
    for (int i = 0; layer == SCA_COPY_MOMENT && i < SCA_PRESENT_THREADS; i++)
        pass_present(w, i);
    for (int t = 0; layer == SCA_COPY_MOMENT && t < SCA_T_COUNT; t++)
        pass_number(w, offsetof(struct sca_part_header, table[t].dropped), sizeof(uint32_t), EXACT);
}

/* ---- tables ---- */

/* Which tables a layer has; the order of columns is theirs. */
static uint8_t layer_of(int table)
{
    switch (table) {
    case SCA_T_INTERVALS:
    case SCA_T_SAMPLES:
        return SCA_COPY_TOTALS;
    case SCA_T_MESSAGES:
    case SCA_T_WINDOWS:
    case SCA_T_EVENTS:
        return SCA_COPY_WINDOWS;
    default:
        return SCA_COPY_MOMENT;
    }
}

/* Times of sites belong to the totals: whom ranks wait for does not depend on them. */
static uint8_t layer_of_column(const struct sca_column *c)
{
    bool total = c->table == SCA_T_SITES && c->offset >= offsetof(struct sca_part_site, count);
    return total ? SCA_COPY_TOTALS : layer_of(c->table);
}

static bool is_time(const struct sca_column *c)
{
    bool metric = c->table == SCA_T_SAMPLES &&
                  c->offset >= offsetof(struct sca_part_sample, metric) &&
                  c->offset < offsetof(struct sca_part_sample, length_ns);
    return metric || c->coding == SCA_CODE_ROUND || c->coding == SCA_CODE_ROUND_AFTER ||
           (c->table != SCA_T_MESSAGES &&
            (c->coding == SCA_CODE_FLOOR || c->coding == SCA_CODE_CEIL));
}

static void pass_counts(struct passing *w, int table)
{
    for (uint32_t r = 0; r < w->n; r++) {
        uint32_t *count = &w->known[r].header.table[table].count;
        uint64_t now = pass_exact(w, w->now ? w->now[r].header.table[table].count : 0, *count);
        size_t least = sca_table_stride[table] == 1 ? 1 : 2; /* bytes for each that is new */
        bool fits = w->to || now <= *count || (now - *count) <= sca_wire_left(w->from) / least;
        if (!fits || now > MOST_RECORDS) {
            if (w->from)
                w->from->failed = 1;
            now = 0;
        }
        w->failed |= !sca_copy_make_room(&w->known[r], table, (uint32_t)now);
        w->before[r][table] = *count < now ? *count : (uint32_t)now;
        *count = w->failed ? 0 : (uint32_t)now;
    }
}

/* What stays is not sent: byte tables grow, or change from some place on. */
static void pass_bytes(struct passing *w, int table)
{
    for (uint32_t r = 0; r < w->n; r++) {
        uint32_t n = w->known[r].header.table[table].count, same = w->before[r][table];
        uint8_t *known = w->known[r].record[table];
        const uint8_t *now = w->now ? w->now[r].record[table] : NULL;
        for (uint32_t i = 0; now && i < same; i++)
            same = known[i] == now[i] ? same : i;
        same = (uint32_t)pass_exact(w, same, w->before[r][table]);
        if (same > n) {
            w->from->failed = 1;
            return;
        }
        const uint8_t *bytes = now ? now + same : sca_wire_get_bytes(w->from, n - same);
        if (w->to)
            sca_wire_put_bytes(w->to, bytes, n - same);
        if (bytes && n > same)
            memcpy(known + same, bytes, n - same);
    }
}

static void pass_raw(struct passing *w, const struct sca_column *c, uint8_t *at, const uint8_t *now)
{
    bool same = now && !memcmp(now, at, c->size);
    if (pass_exact(w, same, 0))
        return;
    const uint8_t *bytes = now ? now : sca_wire_get_bytes(w->from, c->size);
    if (w->to)
        sca_wire_put_bytes(w->to, bytes, c->size);
    if (bytes)
        memcpy(at, bytes, c->size);
}

/* A new one resembles the record before it. */
static uint64_t pass_value(struct passing *w, const struct sca_column *c, uint64_t now,
                           const uint8_t *at, bool fresh, bool first)
{
    uint64_t known = load(at, c->size), before = 0;
    if (c->coding == SCA_CODE_FLAG)
        return pass_exact(w, now != 0, known);
    if (is_time(c))
        return fresh ? pass_rounded(w, now, 0, NEW_BITS) : pass_time(w, now, known);
    if (fresh && (c->coding == SCA_CODE_AFTER || c->coding == SCA_CODE_SPAN))
        before = load(at - sizeof(uint64_t), sizeof(uint64_t));
    else if (fresh && !first)
        before = load(at - sca_table_stride[c->table], c->size);
    before = fresh ? before : known;
    if (c->coding == SCA_CODE_TICKS || c->coding == SCA_CODE_SPAN)
        return pass_exact(w, now >> TICK_BITS, before >> TICK_BITS) << TICK_BITS;
    return pass_exact(w, now, before);
}

static void pass_record(struct passing *w, const struct sca_column *c, uint32_t r, uint32_t i)
{
    size_t offset = (size_t)i * sca_table_stride[c->table] + c->offset;
    uint8_t *at = w->known[r].record[c->table] + offset;
    const uint8_t *now = w->now ? w->now[r].record[c->table] + offset : NULL;
    if (c->coding == SCA_CODE_BYTES) {
        pass_raw(w, c, at, now);
        return;
    }
    uint64_t value =
        pass_value(w, c, now ? load(now, c->size) : 0, at, i >= w->before[r][c->table], !i);
    memcpy(at, &value, c->size);
}

/* The same record of one rank after the other: most have the same value there. */
static void pass_column(struct passing *w, const struct sca_column *c)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < w->n; r++)
        if (w->known[r].header.table[c->table].count > most)
            most = w->known[r].header.table[c->table].count;
    for (uint32_t i = 0; i < most && !(w->from && w->from->failed); i++)
        for (uint32_t r = 0; r < w->n; r++)
            if (i < w->known[r].header.table[c->table].count)
                pass_record(w, c, r, i);
}

static void pass_tables(struct passing *w, uint8_t layer)
{
    for (int t = 0; t < SCA_T_COUNT && !w->failed; t++)
        if (layer_of(t) == layer)
            pass_counts(w, t);
    for (int i = 0; i < SCA_COLUMNS && !w->failed; i++)
        if (layer_of_column(&sca_columns[i]) == layer) {
            if (sca_table_stride[sca_columns[i].table] == 1)
                pass_bytes(w, sca_columns[i].table);
            else
                pass_column(w, &sca_columns[i]);
        }
}

/* ---- messages ---- */

/* Another process: nothing is known of it. */
static void pass_identities(struct passing *w)
{
    for (uint32_t r = 0; r < w->n; r++) {
        struct sca_copy *known = &w->known[r];
        uint64_t now = pass_exact(w, w->now ? w->now[r].identity : 0, known->identity);
        if (now != known->identity) {
            known->header = (struct sca_part_header){0};
            for (int t = 0; t < SCA_T_COUNT; t++)
                if (known->record[t])
                    memset(known->record[t], 0, (size_t)known->room[t] * sca_table_stride[t]);
        }
        known->identity = now;
    }
}

static int pass(struct passing *w, unsigned layers)
{
    w->before = calloc(w->n + 1ul, sizeof *w->before);
    if (!w->before)
        return sca_fail(SCA_ENOMEM, "out of memory");
    pass_identities(w);
    for (unsigned layer = SCA_COPY_MOMENT; layer <= SCA_COPY_WINDOWS; layer *= 2)
        if (layers & layer) {
            pass_headers(w, (uint8_t)layer);
            pass_tables(w, (uint8_t)layer);
        }
    free(w->before);
    return w->failed ? sca_fail(SCA_ENOMEM, "out of memory") : SCA_OK;
}

size_t sca_copies_bound(const struct sca_copy *now, uint32_t n)
{
    size_t bytes = BOUND_FIELD;
    for (uint32_t r = 0; r < n; r++) {
        bytes += BOUND_RANK * 2;
        for (int i = 0; i < SCA_COLUMNS; i++)
            bytes += (size_t)now[r].header.table[sca_columns[i].table].count *
                     (sca_columns[i].size + BOUND_FIELD);
    }
    return bytes;
}

int sca_copies_send(struct sca_copy *known, const struct sca_copy *now, uint32_t n, unsigned layers,
                    struct sca_writer *to)
{
    struct passing w = {.to = to, .known = known, .now = now, .n = n};
    sca_wire_put_varint(to, layers);
    int status = pass(&w, layers);
    return status == SCA_OK && to->failed ? sca_fail(SCA_ENOMEM, "a message without end") : status;
}

int sca_copies_receive(struct sca_copy *known, uint32_t n, struct sca_reader *from)
{
    struct passing w = {.from = from, .known = known, .n = n};
    uint64_t layers = sca_wire_get_varint(from);
    int status = pass(&w, (unsigned)layers);
    if (status == SCA_OK && (from->failed || sca_wire_left(from) || layers > 7))
        status = sca_fail(SCA_EFORMAT, "not a message of ranks' states");
    return status;
}
