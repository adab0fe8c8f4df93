#include "profile/image.h"
#include "profile/totals_columns.h"
#include "profile/event_rows.h"

#include <stdbool.h>
#include <string.h>

enum { TICK_BITS = 10 };

/* Undoes rounded() of the encoder; numbers it never writes come out as zero. */
static uint64_t widened(uint64_t code)
{
    if (code < 128)
        return code;
    uint64_t exponent = (code - 128) / 64 + 1, digits = 64 + (code - 128) % 64;
    return exponent > 57 ? 0 : digits << exponent;
}

/* Signed numbers as their two's complement. */
static uint64_t get_round(struct sca_reader *r)
{
    uint64_t code = sca_wire_get_varint(r);
    if (code == 63 << 1)
        return sca_wire_get_varint(r);
    uint64_t value = code >> 7 << (code >> 1 & 63);
    return code & 1 ? 0 - value : value;
}

static void set_field(uint8_t *record, const struct sca_column *c, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    if (c->size == sizeof narrow) /* a constant size is a store */
        memcpy(record + c->offset, &narrow, sizeof narrow);
    else if (c->size > sizeof narrow)
        memcpy(record + c->offset, &value, sizeof value);
    else
        memcpy(record + c->offset, &narrow, c->size);
}

static uint64_t get_value(struct sca_reader *r, const struct sca_column *c, uint64_t before)
{
    switch (c->coding) {
    case SCA_CODE_DELTA:
    case SCA_CODE_AFTER:
        return before + (uint64_t)sca_wire_get_svarint(r);
    case SCA_CODE_TICKS:
        return before + ((uint64_t)sca_wire_get_svarint(r) << TICK_BITS);
    case SCA_CODE_SPAN:
        return before + widened(sca_wire_get_varint(r));
    case SCA_CODE_FLOOR:
    case SCA_CODE_CEIL:
        return widened(sca_wire_get_varint(r));
    case SCA_CODE_ROUND:
        return get_round(r);
    case SCA_CODE_ROUND_AFTER:
        return before + get_round(r);
    default:
        return sca_wire_get_varint(r);
    }
}

static void get_bytes(struct sca_reader *r, const struct sca_column *c, uint8_t *record,
                      uint32_t count)
{
    uint32_t stride = sca_table_stride[c->table];
    const uint8_t *bytes = sca_wire_get_bytes(r, (size_t)count * c->size);
    if (bytes && stride == c->size)
        memcpy(record, bytes, (size_t)count * c->size);
    for (uint32_t i = 0; bytes && stride != c->size && i < count; i++)
        memcpy(record + (size_t)i * stride + c->offset, bytes + (size_t)i * c->size, c->size);
}

/* Numbers that stand for themselves, or for what they are more than the one before: most are. */
static void get_plain(struct sca_reader *r, const struct sca_column *c, uint8_t *record,
                      uint32_t count)
{
    uint32_t stride = sca_table_stride[c->table];
    struct sca_reader local = *r; /* its members stay in registers */
    uint64_t before = 0;
    bool delta = c->coding == SCA_CODE_DELTA;
    for (uint32_t i = 0; i < count && !local.failed; i++, record += stride) {
        uint64_t raw = sca_wire_get_varint(&local);
        before = delta ? before + ((raw >> 1) ^ (0 - (raw & 1))) : raw;
        set_field(record, c, before);
    }
    *r = local;
}

static void get_column(struct sca_reader *r, const struct sca_column *c, uint8_t *record,
                       uint32_t count)
{
    uint32_t stride = sca_table_stride[c->table];
    uint64_t before = 0;
    if (c->coding == SCA_CODE_BYTES) {
        get_bytes(r, c, record, count);
        return;
    }
    if (c->coding == SCA_CODE_DELTA || c->coding == SCA_CODE_PLAIN) {
        get_plain(r, c, record, count);
        return;
    }
    for (uint32_t i = 0; i < count && !r->failed; i++, record += stride) {
        if (sca_coding_looks_ahead(c->coding))
            memcpy(&before, record + c->offset - sizeof before, sizeof before);
        before = get_value(r, c, before);
        set_field(record, c, before);
    }
}

static const char *get_header(const struct sca_span *span, struct sca_part_header *h)
{
    uint64_t numbers[SCA_HEADER_NUMBERS];
    struct sca_reader r;
    sca_wire_reader_init(&r, span->bytes, span->length);
    for (int i = 0; i < SCA_HEADER_NUMBERS; i++)
        numbers[i] = sca_wire_get_varint(&r);
    sca_columns_header_from_numbers(h, numbers);
    for (int i = 0; i < SCA_T_COUNT; i++) {
        uint64_t count = sca_wire_get_varint(&r);
        h->table[i].dropped = (uint32_t)sca_wire_get_varint(&r);
        h->table[i].stride = sca_table_stride[i];
        h->table[i].count = (uint32_t)count;
        if (count > UINT32_MAX)
            r.failed = 1;
    }
    return r.failed || sca_wire_left(&r) ? "a rank's header is damaged" : NULL;
}

static size_t length_of(const struct sca_span *sections, int column)
{
    size_t length = sections[1 + column].length;
    if (sca_columns[column].table == SCA_T_EVENTS)
        for (int i = SCA_FIRST_ROWS; i < SCA_SECTIONS; i++)
            length += sections[i].length;
    return length;
}

/* Every record takes at least a byte of each of its columns: a count beyond that is false. */
static const char *check_counts(const struct sca_span *sections, const struct sca_part_header *h,
                                bool totals)
{
    for (uint32_t i = 0; i < SCA_COLUMNS; i++)
        if (totals && !sca_totals_column(i))
            continue;
        else if (sections[1 + i].bytes &&
                 h->table[sca_columns[i].table].count > length_of(sections, i))
            return "a table is longer than its columns";
    return NULL;
}

/* Where a table is there already, it stays. */
static const char *allocate(struct sca_region *region, struct sca_tables *out)
{
    for (int i = 0; i < SCA_T_COUNT; i++) {
        if (!out->record[i])
            out->record[i] =
                sca_region_array(region, out->header.table[i].count, sca_table_stride[i]);
        if (!out->record[i])
            return "out of memory";
    }
    return NULL;
}

static const char *get_section(const struct sca_span *span, const struct sca_column *c,
                               struct sca_tables *out)
{
    struct sca_reader r;
    uint8_t *record = (uint8_t *)out->record[c->table];
    sca_wire_reader_init(&r, span->bytes, span->length);
    get_column(&r, c, record, out->header.table[c->table].count);
    return r.failed || sca_wire_left(&r) ? "a column does not fit its table" : NULL;
}

/* The windows are there already. Before version 7 their rows were in the column itself. */
static const char *get_events(const struct sca_span *sections, int column, struct sca_tables *out)
{
    struct sca_reader parts[SCA_EVENT_PARTS];
    const struct sca_span *of[SCA_EVENT_PARTS] = {&sections[1 + column], &sections[SCA_FIRST_ROWS],
                                                  &sections[SCA_FIRST_ROWS + 1]};
    if (!sections[SCA_FIRST_ROWS].bytes)
        return get_section(of[SCA_EVENT_REST], &sca_columns[column], out);
    for (int i = 0; i < SCA_EVENT_PARTS; i++)
        sca_wire_reader_init(&parts[i], of[i]->bytes, of[i]->length);
    return sca_event_rows_get(parts, out, (uint8_t *)out->record[SCA_T_EVENTS])
               ? NULL
               : "events that do not fit their windows";
}

/* What they mean is looked at by who asks for it: most do not. */
static const char *keep_durations(const struct sca_span *span, struct sca_region *region,
                                  struct sca_tables_durations *out)
{
    uint8_t *copy = span->length ? sca_region_alloc(region, span->length) : NULL;
    if (span->length && !copy)
        return "out of memory";
    if (copy)
        memcpy(copy, span->bytes, span->length);
    *out = (struct sca_tables_durations){.coded = copy, .length = span->length};
    return NULL;
}

static void leave_out(struct sca_part_header *h)
{
    for (int t = 0; t < SCA_T_COUNT; t++)
        if (!sca_totals_table(t))
            h->table[t].count = 0;
}

static bool is_same(const struct sca_span *a, const struct sca_span *b)
{
    return a->bytes && b->bytes && a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* Ranks that run the same code have the same call paths and sites. */
static void take_over(const struct sca_span *sections, const struct sca_image_before *before,
                      struct sca_tables *out)
{
    bool other[SCA_T_COUNT];
    for (int t = 0; t < SCA_T_COUNT; t++)
        other[t] = out->header.table[t].count != before->tables->header.table[t].count;
    for (uint32_t i = 0; i < SCA_COLUMNS; i++)
        other[sca_columns[i].table] |=
            sca_totals_column(i) && !is_same(&sections[1 + i], &before->sections[1 + i]);
    for (int t = 0; t < SCA_T_COUNT; t++)
        if (!other[t])
            out->record[t] = before->tables->record[t];
}

static const char *get_columns(const struct sca_span *sections, struct sca_tables *out)
{
    const char *wrong = NULL;
    for (int i = 0; !wrong && i < SCA_COLUMNS && sections[1 + i].bytes; i++)
        wrong = sca_columns[i].table == SCA_T_EVENTS
                    ? get_events(sections, i, out)
                    : get_section(&sections[1 + i], &sca_columns[i], out);
    return wrong;
}

/* `before`: its tables need not be read again. */
static const char *get_totals(const struct sca_span *sections,
                              const struct sca_image_before *before, struct sca_tables *out)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; !wrong && i < SCA_COLUMNS && sections[1 + i].bytes; i++) {
        uint8_t table = sca_columns[i].table;
        bool there = before && out->record[table] == before->tables->record[table];
        if (sca_totals_column(i) && !there)
            wrong = get_section(&sections[1 + i], &sca_columns[i], out);
    }
    return wrong;
}

const char *sca_image_decode(const struct sca_span sections[SCA_SECTIONS],
                             struct sca_region *region, struct sca_tables *out)
{
    *out = (struct sca_tables){0};
    const char *wrong = get_header(&sections[0], &out->header);
    if (!wrong)
        wrong = check_counts(sections, &out->header, false);
    if (!wrong)
        wrong = allocate(region, out);
    if (!wrong)
        wrong = get_columns(sections, out);
    for (int i = 0; !wrong && i < SCA_TIMED_COUNT; i++)
        wrong = keep_durations(&sections[SCA_FIRST_DURATIONS + i], region, &out->durations[i]);
    return wrong ? wrong : sca_tables_check(out).what;
}

const char *sca_image_decode_totals(const struct sca_span sections[SCA_SECTIONS],
                                    const struct sca_image_before *before,
                                    struct sca_region *region, struct sca_tables *out)
{
    *out = (struct sca_tables){0};
    const char *wrong = get_header(&sections[0], &out->header);
    if (!wrong)
        leave_out(&out->header);
    if (!wrong)
        wrong = check_counts(sections, &out->header, true);
    if (!wrong && before)
        take_over(sections, before, out);
    if (!wrong)
        wrong = allocate(region, out);
    if (!wrong)
        wrong = get_totals(sections, before, out);
    return wrong ? wrong : sca_tables_check(out).what;
}
