/* From tables to the compact bytes a rank sends: one section per column. */
#include "profile/durations.h"
#include "profile/event_rows.h"
#include "profile/tables.h"

#include <stdbool.h>
#include <string.h>

static uint64_t wide(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t field(const uint8_t *record, const struct sca_column *c)
{
    uint32_t narrow = 0;
    if (c->size > sizeof narrow)
        return wide(record + c->offset);
    memcpy(&narrow, record + c->offset, c->size); /* little-endian, as the parts are */
    return narrow;
}

static int64_t difference(uint64_t value, uint64_t before, size_t size)
{
    uint64_t d = value - before;
    return size == 4 ? (int32_t)(uint32_t)d : (int64_t)d;
}

/* Seven significant bits: below 128 the number itself, above an exponent and the digits. */
static uint64_t rounded(uint64_t value, bool up)
{
    if (value < 128)
        return value;
    unsigned exponent = 64 - 7 - (unsigned)__builtin_clzll(value);
    uint64_t digits = value >> exponent;
    if (up && digits << exponent != value && (digits < 127 || exponent < 57))
        digits++;
    if (digits == 128) {
        digits = 64;
        exponent++;
    }
    return 128 + (exponent - 1) * 64 + (digits - 64);
}

/* Sign, odd part, and how often that was doubled: exact, and short for what has few digits. */
static void put_round(struct sca_writer *w, int64_t number)
{
    uint64_t value = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    unsigned zeros = value ? (unsigned)__builtin_ctzll(value) : 0;
    uint64_t odd = value >> zeros;
    if (odd >> 57) { /* no room for all */
        sca_wire_put_varint(w, 63 << 1);
        sca_wire_put_varint(w, (uint64_t)number);
    } else {
        sca_wire_put_varint(w, odd << 7 | zeros << 1 | (number < 0));
    }
}

enum { TICK_BITS = 10 };

/* `before` is the field in the record before, or the one in front where the coding says so. */
static void put_value(struct sca_writer *w, const struct sca_column *c, uint64_t value,
                      uint64_t before)
{
    switch (c->coding) {
    case SCA_CODE_DELTA:
    case SCA_CODE_AFTER:
        sca_wire_put_svarint(w, difference(value, before, c->size));
        break;
    case SCA_CODE_TICKS:
        sca_wire_put_svarint(w, (int64_t)((value >> TICK_BITS) - (before >> TICK_BITS)));
        break;
    case SCA_CODE_SPAN: /* the field in front comes back as whole ticks */
        before = before >> TICK_BITS << TICK_BITS;
        sca_wire_put_varint(w, rounded(value > before ? value - before : 0, true));
        break;
    case SCA_CODE_FLOOR:
    case SCA_CODE_CEIL:
        sca_wire_put_varint(w, rounded(value, c->coding == SCA_CODE_CEIL));
        break;
    case SCA_CODE_ROUND:
        put_round(w, (int64_t)value);
        break;
    case SCA_CODE_ROUND_AFTER:
        put_round(w, difference(value, before, c->size));
        break;
    default:
        sca_wire_put_varint(w, c->coding == SCA_CODE_FLAG ? value != 0 : value);
    }
}

static void put_column(struct sca_writer *w, const struct sca_column *c, const uint8_t *record,
                       uint32_t count)
{
    uint32_t stride = sca_table_stride[c->table];
    uint64_t before = 0;
    if (stride == 1) {
        sca_wire_put_bytes(w, record, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++, record += stride) {
        if (c->coding == SCA_CODE_BYTES) {
            sca_wire_put_bytes(w, record + c->offset, c->size);
            continue;
        }
        uint64_t value = field(record, c);
        if (sca_coding_looks_ahead(c->coding))
            before = wide(record + c->offset - sizeof(uint64_t));
        put_value(w, c, value, before);
        before = value;
    }
}

static void put_header(struct sca_writer *w, const struct sca_tables *t)
{
    uint64_t numbers[SCA_HEADER_NUMBERS];
    sca_columns_header_numbers(&t->header, numbers);
    for (int i = 0; i < SCA_HEADER_NUMBERS; i++)
        sca_wire_put_varint(w, numbers[i]);
    for (int i = 0; i < SCA_T_COUNT; i++) {
        sca_wire_put_varint(w, t->header.table[i].count);
        sca_wire_put_varint(w, t->header.table[i].dropped);
    }
}

static void put_section(struct sca_writer *w, const struct sca_tables *t, int section)
{
    if (section == 0) {
        put_header(w, t);
        return;
    }
    if (section >= SCA_FIRST_ROWS) {
        sca_event_rows_put(w, t, SCA_EVENT_OCTAVES + (section - SCA_FIRST_ROWS));
        return;
    }
    if (section >= SCA_FIRST_DURATIONS) {
        sca_durations_encode(w, t, (enum sca_timed)(section - SCA_FIRST_DURATIONS));
        return;
    }
    const struct sca_column *c = &sca_columns[section - 1];
    if (c->table == SCA_T_EVENTS)
        sca_event_rows_put(w, t, SCA_EVENT_REST);
    else
        put_column(w, c, t->record[c->table], t->header.table[c->table].count);
}

void sca_image_encode(const struct sca_tables *tables, struct sca_writer *out)
{
    for (int section = 0; section < SCA_SECTIONS; section++) {
        struct sca_writer counter; /* the length comes first: count, then write */
        sca_wire_writer_init(&counter, NULL, 0);
        put_section(&counter, tables, section);
        sca_wire_put_varint(out, counter.length);
        put_section(out, tables, section);
    }
}
