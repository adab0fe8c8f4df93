/* One rank's packed tables as arrays again. */
#include "profile/packed_fields.h"
#include "profile/profile_load.h"
#include "sca_error.h"

#include <string.h>

/* What the first `count` records of a table have in one field. */
struct held {
    struct sca_packed_column column;
    uint32_t count; /* 0: nothing is known */
};

struct sca_opened {
    const struct sca_profile *profile;
    struct sca_rank rank;
    void *table[SCA_PACKED_TABLES];
    struct held held[SCA_PACKED_COLUMNS];
    bool changing; /* the caller changes the tables that are open */
    struct sca_window *windows;
    max_align_t memory[];
};

static void at_least(size_t *most, size_t n)
{
    if (n > *most)
        *most = n;
}

struct sca_sizes sca_packed_fields_sizes(const struct sca_profile *profile)
{
    struct sca_sizes s = {{0}, 0};
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        if (!rank->packed)
            continue;
        at_least(&s.of[SCA_PACKED_SITES], rank->nsites);
        at_least(&s.of[SCA_PACKED_INTERVALS], rank->nintervals);
        at_least(&s.of[SCA_PACKED_SAMPLES], rank->nsamples);
        at_least(&s.of[SCA_PACKED_PEERS], rank->npeers);
        at_least(&s.of[SCA_PACKED_COLLECTIVES], rank->ncollectives);
        at_least(&s.of[SCA_PACKED_MESSAGES], rank->nmessages);
        at_least(&s.of[SCA_PACKED_EVENTS], rank->packed->nevents);
        at_least(&s.of[SCA_PACKED_OPS], rank->packed->nops);
        at_least(&s.windows, rank->nwindows);
    }
    return s;
}

static size_t record_size(uint32_t table)
{
    uint32_t c = 0;
    while (sca_packed_fields[c].table != table)
        c++;
    return sca_packed_fields[c].stride;
}

static size_t aligned(size_t bytes)
{
    size_t align = _Alignof(max_align_t);
    return (bytes + align - 1) / align * align;
}

static struct sca_sizes known_sizes(const struct sca_profile *profile)
{
    return profile->largest ? *profile->largest : (struct sca_sizes){{0}, 0};
}

size_t sca_rank_open_size(const struct sca_profile *profile)
{
    struct sca_sizes s = known_sizes(profile);
    size_t bytes = sizeof(struct sca_opened) + aligned(s.windows * sizeof(struct sca_window));
    for (uint32_t t = 0; t < SCA_PACKED_TABLES; t++)
        bytes += aligned(s.of[t] * record_size(t));
    return bytes;
}

static void forget(struct sca_opened *o)
{
    memset(o->held, 0, sizeof o->held);
    o->changing = false;
}

struct sca_opened *sca_rank_open_init(void *memory, const struct sca_profile *profile)
{
    struct sca_opened *o = memory;
    struct sca_sizes s = known_sizes(profile);
    uint8_t *at = (uint8_t *)o->memory;
    o->profile = profile;
    forget(o);
    o->windows = (void *)at;
    at += aligned(s.windows * sizeof *o->windows);
    for (uint32_t t = 0; t < SCA_PACKED_TABLES; t++) {
        o->table[t] = at;
        at += aligned(s.of[t] * record_size(t));
    }
    return o;
}

static uint64_t code_at(const struct sca_packed_column *c, uint32_t i, uint64_t mask)
{
    uint64_t code;
    memcpy(&code, c->bytes + (size_t)i * c->width, sizeof code);
    return code & mask;
}

static uint64_t value_of(const struct sca_packed_column *c, uint64_t code)
{
    uint32_t bits = (uint32_t)code << 8 * (4 - c->width);
    float f;
    memcpy(&f, &bits, sizeof f);
    return (uint64_t)f;
}

/* Inlined per size of a field, so that each value is one store. */
static inline void unpack_sized(const struct sca_packed_column *c, const struct sca_packed_field *f,
                                size_t size, uint32_t n, uint8_t *at)
{
    uint64_t value = c->base, mask = c->width < 8 ? ((uint64_t)1 << 8 * c->width) - 1 : UINT64_MAX;
    if (!c->width)
        for (uint32_t i = 0; i < n; i++, at += f->stride)
            memcpy(at, &value, size);
    else if (c->form == SCA_PACKED_INTEGER)
        for (uint32_t i = 0; i < n; i++, at += f->stride) {
            value = c->base + code_at(c, i, mask);
            memcpy(at, &value, size);
        }
    else
        for (uint32_t i = 0; i < n; i++, at += f->stride) {
            value = value_of(c, code_at(c, i, mask));
            memcpy(at, &value, size);
        }
}

static void unpack(const struct sca_packed_column *c, const struct sca_packed_field *f, uint32_t n,
                   uint8_t *records)
{
    if (f->size == sizeof(uint32_t))
        unpack_sized(c, f, sizeof(uint32_t), n, records + f->offset);
    else if (f->size == sizeof(uint64_t))
        unpack_sized(c, f, sizeof(uint64_t), n, records + f->offset);
    else
        unpack_sized(c, f, f->size, n, records + f->offset);
}

/* Ranks that run the same code share columns, so that the last one's often stand there already. */
static bool is_held(const struct held *held, const struct sca_packed_column *c, uint32_t n)
{
    return n <= held->count && held->column.bytes == c->bytes && held->column.base == c->base &&
           held->column.width == c->width && held->column.form == c->form;
}

static void unpack_column(struct sca_opened *o, uint32_t column, uint32_t n)
{
    const struct sca_packed_column *c = &o->rank.packed->columns[column];
    const struct sca_packed_field *field = &sca_packed_fields[column];
    if (is_held(&o->held[column], c, n))
        return;
    unpack(c, field, n, o->table[field->table]);
    o->held[column] = (struct held){*c, n};
}

static void *unpack_table(struct sca_opened *o, uint32_t table, uint32_t n)
{
    uint32_t c = 0;
    while (sca_packed_fields[c].table != table)
        c++;
    for (; c < SCA_PACKED_COLUMNS && sca_packed_fields[c].table == table; c++)
        unpack_column(o, c, n);
    return o->table[table];
}

static void open_windows(struct sca_opened *o)
{
    struct sca_event *events = unpack_table(o, SCA_PACKED_EVENTS, o->rank.packed->nevents);
    struct sca_op *ops = unpack_table(o, SCA_PACKED_OPS, o->rank.packed->nops);
    for (uint32_t w = 0; w < o->rank.nwindows; w++) {
        o->windows[w] = o->rank.windows[w];
        o->windows[w].events = events;
        o->windows[w].ops = ops;
        events += o->windows[w].nevents;
        ops += o->windows[w].nops;
    }
    o->rank.windows = o->windows;
}

const struct sca_rank *sca_rank_open(struct sca_opened *o, uint32_t index, unsigned tables)
{
    const struct sca_rank *from = &o->profile->ranks[index];
    struct sca_rank *rank = &o->rank;
    if (!from->packed)
        return from;
    if (o->changing)
        forget(o);
    *rank = *from;
    if (tables & SCA_OPEN_SITES)
        rank->sites = unpack_table(o, SCA_PACKED_SITES, rank->nsites);
    if (tables & SCA_OPEN_INTERVALS)
        rank->intervals = unpack_table(o, SCA_PACKED_INTERVALS, rank->nintervals);
    if (tables & SCA_OPEN_SAMPLES)
        rank->sample = unpack_table(o, SCA_PACKED_SAMPLES, rank->nsamples);
    if (tables & SCA_OPEN_PEERS)
        rank->peers = unpack_table(o, SCA_PACKED_PEERS, rank->npeers);
    if (tables & SCA_OPEN_COLLECTIVES)
        rank->collectives = unpack_table(o, SCA_PACKED_COLLECTIVES, rank->ncollectives);
    if (tables & SCA_OPEN_MESSAGES)
        rank->messages = unpack_table(o, SCA_PACKED_MESSAGES, rank->nmessages);
    if (tables & SCA_OPEN_WINDOWS)
        open_windows(o);
    return rank;
}

struct sca_rank sca_rank_open_to_change(struct sca_opened *o, uint32_t index)
{
    const struct sca_rank *rank = sca_rank_open(o, index, SCA_OPEN_ALL);
    o->changing = true;
    return *rank;
}

int sca_rank_open_keep(struct sca_profile *profile, uint32_t index, const struct sca_rank *changed)
{
    struct sca_packer packer = {.region = sca_profile_load_region(profile)};
    struct sca_rank fresh = *changed;
    int status = SCA_OK;
    if (profile->ranks[index].packed)
        status = sca_rank_pack(&packer, &fresh);
    if (status == SCA_OK)
        profile->ranks[index] = fresh;
    sca_rank_pack_free(&packer);
    return status;
}
