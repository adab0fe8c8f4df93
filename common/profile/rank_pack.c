#include "profile/rank_pack.h"
#include "profile/packed_fields.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct span { /* one table of a rank */
    const uint8_t *records;
    uint32_t count;
};

static int no_memory(void)
{
    return sca_fail(SCA_ENOMEM, "out of memory while packing a rank's tables");
}

static int take_room(struct sca_packer *p, size_t n)
{
    if (n <= p->room)
        return SCA_OK;
    uint64_t *larger = realloc(p->values, n * sizeof *larger);
    if (!larger)
        return no_memory();
    p->values = larger;
    p->room = n;
    return SCA_OK;
}

/* Inlined per size, so that each value is one load. */
static inline void gather_sized(const struct span *table, const struct sca_packed_field *f,
                                size_t size, uint64_t *values)
{
    const uint8_t *at = table->records + f->offset;
    for (uint32_t i = 0; i < table->count; i++, at += f->stride) {
        uint64_t value = 0;
        memcpy(&value, at, size); /* little-endian, as all machines this runs on */
        values[i] = value;
    }
}

static void gather(const struct span *table, const struct sca_packed_field *f, uint64_t *values)
{
    if (f->size == sizeof(uint32_t))
        gather_sized(table, f, sizeof(uint32_t), values);
    else if (f->size == sizeof(uint64_t))
        gather_sized(table, f, sizeof(uint64_t), values);
    else
        gather_sized(table, f, f->size, values);
}

static uint8_t bytes_of(uint64_t value)
{
    uint8_t n = 0;
    for (; value; value >>= 8)
        n++;
    return n;
}

/* How many of a float's upper bytes give the value back; more than 4 if none does. */
static uint8_t float_bytes(uint64_t value)
{
    uint32_t bits = 0;
    float f = (float)value;
    if (value >> 63 || (uint64_t)f != value)
        return 8;
    memcpy(&bits, &f, sizeof bits);
    return (uint8_t)(bits & 0xff ? 4 : bits & 0xff00 ? 3 : 2);
}

static void choose_form(const uint64_t *values, uint32_t n, struct sca_packed_column *out)
{
    uint64_t least = n ? values[0] : 0, most = least;
    uint8_t as_float = 0;
    for (uint32_t i = 0; i < n; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    *out = (struct sca_packed_column){NULL, least, bytes_of(most - least), SCA_PACKED_INTEGER};
    for (uint32_t i = 0; i < n && out->width > 2 && as_float < out->width; i++) {
        uint8_t width = float_bytes(values[i]);
        as_float = width > as_float ? width : as_float;
    }
    if (as_float && as_float < out->width)
        *out = (struct sca_packed_column){NULL, 0, as_float, SCA_PACKED_FLOAT};
}

static uint64_t coded_as_float(const struct sca_packed_column *c, uint64_t value)
{
    uint32_t bits = 0;
    float f = (float)value;
    memcpy(&bits, &f, sizeof bits);
    return bits >> 8 * (4 - c->width);
}

/* In place, each code stored with eight bytes: it is never wider than its value, which has been
 * read, and the next one takes back what it does not need. */
static void code(const struct sca_packed_column *c, uint64_t *values, uint32_t n)
{
    uint8_t *to = (uint8_t *)values;
    bool is_integer = c->form == SCA_PACKED_INTEGER;
    for (uint32_t i = 0; i < n; i++, to += c->width) {
        uint64_t value = is_integer ? values[i] - c->base : coded_as_float(c, values[i]);
        memcpy(to, &value, sizeof value);
    }
}

static const uint8_t *find_recent(struct sca_packer *p, uint32_t column, const uint8_t *bytes,
                                  size_t length)
{
    for (uint32_t i = 0; i < SCA_PACK_RECENT; i++)
        if (p->recent[column].length[i] == length &&
            !memcmp(p->recent[column].bytes[i], bytes, length))
            return p->recent[column].bytes[i];
    return NULL;
}

static const uint8_t *keep(struct sca_packer *p, uint32_t column, const uint8_t *bytes,
                           size_t length)
{
    uint8_t *copy = sca_region_alloc(p->region, length);
    if (!copy)
        return NULL;
    memcpy(copy, bytes, length);
    uint32_t place = p->recent[column].next++ % SCA_PACK_RECENT;
    p->recent[column].bytes[place] = copy;
    p->recent[column].length[place] = length;
    return copy;
}

static int pack_column(struct sca_packer *p, uint32_t column, uint32_t n,
                       struct sca_packed_column *out)
{
    uint8_t *bytes = (uint8_t *)p->values;
    choose_form(p->values, n, out);
    if (!out->width)
        return SCA_OK;
    code(out, p->values, n);
    size_t length = (size_t)n * out->width + SCA_PACKED_PADDING;
    memset(bytes + length - SCA_PACKED_PADDING, 0, SCA_PACKED_PADDING);
    out->bytes = find_recent(p, column, bytes, length);
    if (!out->bytes)
        out->bytes = keep(p, column, bytes, length);
    return out->bytes ? SCA_OK : no_memory();
}

static int pack_table(struct sca_packer *p, uint32_t table, const struct span *span,
                      struct sca_packed *out)
{
    int status = take_room(p, (size_t)span->count + SCA_PACKED_PADDING);
    for (uint32_t c = 0; status == SCA_OK && c < SCA_PACKED_COLUMNS; c++)
        if (sca_packed_fields[c].table == table) {
            gather(span, &sca_packed_fields[c], p->values);
            status = pack_column(p, c, span->count, &out->columns[c]);
        }
    return status;
}

/* The records of all windows behind each other, in scratch. */
static int join_windows(const struct sca_rank *rank, struct sca_packed *out,
                        struct sca_region *scratch, struct span *events, struct span *ops)
{
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        out->nevents += rank->windows[w].nevents;
        out->nops += rank->windows[w].nops;
    }
    struct sca_event *e = sca_region_array(scratch, out->nevents, sizeof *e);
    struct sca_op *o = sca_region_array(scratch, out->nops, sizeof *o);
    if (!e || !o)
        return no_memory();
    *events = (struct span){(const uint8_t *)e, out->nevents};
    *ops = (struct span){(const uint8_t *)o, out->nops};
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        const struct sca_window *window = &rank->windows[w];
        if (window->nevents)
            memcpy(e, window->events, window->nevents * sizeof *e);
        if (window->nops)
            memcpy(o, window->ops, window->nops * sizeof *o);
        e += window->nevents;
        o += window->nops;
    }
    return SCA_OK;
}

static int pack_all(struct sca_packer *p, const struct sca_rank *rank, struct sca_packed *out)
{
    struct span spans[SCA_PACKED_TABLES] = {
        [SCA_PACKED_SITES] = {(const void *)rank->sites, rank->nsites},
        [SCA_PACKED_INTERVALS] = {(const void *)rank->intervals, rank->nintervals},
        [SCA_PACKED_SAMPLES] = {(const void *)rank->sample, rank->nsamples},
        [SCA_PACKED_PEERS] = {(const void *)rank->peers, rank->npeers},
        [SCA_PACKED_COLLECTIVES] = {(const void *)rank->collectives, rank->ncollectives},
        [SCA_PACKED_MESSAGES] = {(const void *)rank->messages, rank->nmessages},
    };
    int status =
        join_windows(rank, out, &p->scratch, &spans[SCA_PACKED_EVENTS], &spans[SCA_PACKED_OPS]);
    for (uint32_t t = 0; status == SCA_OK && t < SCA_PACKED_TABLES; t++)
        status = pack_table(p, t, &spans[t], out);
    sca_region_clear(&p->scratch);
    return status;
}

static int keep_windows(struct sca_packer *p, struct sca_rank *rank)
{
    struct sca_window *windows = sca_region_array(p->region, rank->nwindows, sizeof *windows);
    if (!windows)
        return no_memory();
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        windows[w] = rank->windows[w];
        windows[w].events = NULL;
        windows[w].ops = NULL;
    }
    rank->windows = windows;
    return SCA_OK;
}

static uint64_t longer(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t find_longest(const struct sca_rank *rank)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        longest = longer(longest, longer(rank->intervals[i].cpu_ns, rank->intervals[i].blocked_ns));
    for (uint32_t i = 0; i < rank->nsites; i++)
        longest = longer(longest, longer(rank->sites[i].time_ns, rank->sites[i].min_ns));
    for (uint32_t w = 0; w < rank->nwindows; w++)
        for (uint32_t e = 0; e < rank->windows[w].nevents; e++)
            longest = longer(longest, rank->windows[w].events[e].gap_ns);
    return longest;
}

int sca_rank_pack(struct sca_packer *p, struct sca_rank *rank)
{
    uint64_t longest = find_longest(rank);
    struct sca_packed *packed = sca_region_alloc(p->region, sizeof *packed);
    int status = packed ? pack_all(p, rank, packed) : no_memory();
    if (status == SCA_OK)
        status = keep_windows(p, rank);
    if (status < 0)
        return status;
    rank->packed = packed;
    rank->longest_ns = longest;
    rank->sites = NULL;
    rank->intervals = NULL;
    rank->sample = NULL;
    rank->peers = NULL;
    rank->collectives = NULL;
    rank->messages = NULL;
    return SCA_OK;
}

void sca_rank_pack_free(struct sca_packer *packer)
{
    free(packer->values);
    sca_region_free(&packer->scratch);
    packer->values = NULL;
    packer->room = 0;
}
