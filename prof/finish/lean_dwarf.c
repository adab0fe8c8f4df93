#include "finish/lean_dwarf.h"
#include "sca_wire.h"

#include <stdbool.h>
#include <string.h>

/* Of DWARF 5, sections 7.5.3 to 7.5.6. */
enum { AT_SIBLING = 0x01, AT_FRAME_BASE = 0x40, AT_TYPE = 0x49, AT_OBJECT_POINTER = 0x64 };
enum { UNIT_COMPILE = 1, UNIT_TYPE = 2, UNIT_SKELETON = 4, UNIT_SPLIT = 5, UNIT_SPLIT_TYPE = 6 };

struct unit {
    struct sca_reader r;               /* of .debug_info, up to the unit's end */
    unsigned version, address, offset; /* bytes of an address, of an offset */
    uint64_t abbrev;
};

static uint64_t number(struct sca_reader *r, unsigned bytes)
{
    const uint8_t *at = sca_wire_get_bytes(r, bytes);
    uint64_t value = 0;
    for (unsigned i = bytes; at && i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* ---- kinds of entries ---- */

static void skip_attributes(struct sca_reader *r)
{
    uint64_t name, form;
    do {
        name = sca_wire_get_varint(r);
        form = sca_wire_get_varint(r);
        if (form == 0x21) /* an implicit constant */
            sca_wire_get_varint(r);
    } while (!r->failed && (name || form));
}

/* Where each code of the unit is explained: behind the code. */
static bool find_codes(const struct sca_lean_dwarf *d, uint64_t offset)
{
    struct sca_reader r;
    uint64_t code;
    if (offset >= d->abbrev_size)
        return false;
    memset(d->places, 0, SCA_LEAN_CODES * sizeof *d->places);
    sca_wire_reader_init(&r, d->abbrev, d->abbrev_size);
    r.position = offset;
    while ((code = sca_wire_get_varint(&r)) && !r.failed) {
        if (code >= SCA_LEAN_CODES)
            return false;
        d->places[code] = (uint32_t)r.position;
        sca_wire_get_varint(&r); /* tag */
        sca_wire_get_u8(&r);     /* has children */
        skip_attributes(&r);
    }
    return !r.failed;
}

/* ---- values ---- */

/* Bytes of a value of fixed length; 0 for others. */
static unsigned fixed_length(const struct unit *u, uint64_t form)
{
    static const uint8_t length[] = {
        [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1,  [0x0c] = 1, [0x11] = 1, [0x12] = 2,
        [0x13] = 4, [0x14] = 8, [0x1c] = 4, [0x1e] = 16, [0x20] = 8, [0x24] = 8, [0x25] = 1,
        [0x26] = 2, [0x27] = 3, [0x28] = 4, [0x29] = 1,  [0x2a] = 2, [0x2b] = 3, [0x2c] = 4};
    if (form == 0x01) /* an address */
        return u->address;
    if (form == 0x10) /* a reference from unit to unit */
        return u->version == 2 ? u->address : u->offset;
    if (form == 0x0e || form == 0x17 || form == 0x1d || form == 0x1f || form == 0x1f20 ||
        form == 0x1f21)
        return u->offset;
    return form < sizeof length ? length[form] : 0;
}

/* Bytes of the length of a block, 0 if the form is none, 8: LEB128. */
static unsigned length_of_length(uint64_t form)
{
    return form == 0x0a                   ? 1
           : form == 0x03                 ? 2
           : form == 0x04                 ? 4
           : form == 0x09 || form == 0x18 ? 8
                                          : 0;
}

static bool is_leb(uint64_t form)
{
    return form == 0x0d || form == 0x0f || form == 0x15 || form == 0x1a || form == 0x1b ||
           form == 0x22 || form == 0x23 || form == 0x1f01 || form == 0x1f02;
}

/* Zero in as many bytes. */
static void clear_leb(uint8_t *from, const uint8_t *end)
{
    for (; from + 1 < end; from++)
        *from = 0x80;
    *from = 0;
}

static void pass_string(struct sca_reader *r, uint8_t *clear)
{
    const uint8_t *begin = r->data + r->position;
    const uint8_t *end = memchr(begin, 0, r->length - r->position);
    r->failed |= !end;
    if (!end)
        return;
    if (clear)
        memset(clear, ' ', (size_t)(end - begin));
    r->position += (size_t)(end - begin) + 1;
}

/* Past a value, which is cleared where `info` is not NULL: the writable bytes that r reads. */
static void pass(const struct unit *u, struct sca_reader *r, uint64_t form, uint8_t *info)
{
    unsigned fixed = fixed_length(u, form), block = length_of_length(form);
    uint64_t length = fixed;
    if (form == 0x19 || form == 0x21) /* said by the kind of entry */
        return;
    if (form == 0x08) {
        pass_string(r, info ? info + r->position : NULL);
    } else if (is_leb(form)) {
        size_t begin = r->position;
        sca_wire_get_varint(r);
        if (info && !r->failed)
            clear_leb(info + begin, info + r->position);
    } else if (fixed || block) {
        if (block)
            length = block == 8 ? sca_wire_get_varint(r) : number(r, block);
        size_t begin = r->position;
        r->failed |= length > r->length - r->position;
        if (!r->failed && sca_wire_get_bytes(r, length) && info)
            memset(info + begin, 0, length);
    } else {
        r->failed = 1; /* of a later version */
    }
}

/* ---- entries ---- */

/* What tells functions, and where they are: units, namespaces, modules, classes, functions, inlined
 * calls, blocks, and the imports and entries among them. */
static bool is_needed(uint64_t tag)
{
    static const uint8_t tags[] = {0x02, 0x03, 0x08, 0x0b, 0x11, 0x13, 0x17, 0x1d, 0x1e,
                                   0x25, 0x2e, 0x32, 0x39, 0x3a, 0x3c, 0x3d, 0x41, 0x4a};
    return tag <= 0xff && memchr(tags, (int)tag, sizeof tags);
}

static bool is_spared(uint64_t tag, uint64_t attribute)
{
    bool details =
        attribute == AT_TYPE || attribute == AT_FRAME_BASE || attribute == AT_OBJECT_POINTER;
    return attribute == AT_SIBLING || (is_needed(tag) && !details);
}

static void walk_entry(const struct sca_lean_dwarf *d, struct unit *u, uint64_t code, bool clear)
{
    struct sca_reader kind;
    uint64_t attribute, form;
    sca_wire_reader_init(&kind, d->abbrev, d->abbrev_size);
    kind.position = code < SCA_LEAN_CODES ? d->places[code] : 0;
    u->r.failed |= !kind.position;
    uint64_t tag = sca_wire_get_varint(&kind);
    sca_wire_get_u8(&kind);
    while (!u->r.failed && !kind.failed) {
        attribute = sca_wire_get_varint(&kind);
        form = sca_wire_get_varint(&kind);
        if (!attribute && !form)
            return;
        if (form == 0x21)
            sca_wire_get_varint(&kind);
        pass(u, &u->r, form, clear && !is_spared(tag, attribute) ? d->info : NULL);
    }
    u->r.failed = 1;
}

/* Nothing is changed before all of the unit was seen to make sense. */
static bool walk_unit(const struct sca_lean_dwarf *d, struct unit u, bool clear)
{
    while (!u.r.failed && sca_wire_left(&u.r)) {
        uint64_t code = sca_wire_get_varint(&u.r);
        if (code)
            walk_entry(d, &u, code, clear);
    }
    return !u.r.failed;
}

/* ---- units ---- */

/* Up to the first entry; false for a unit of another version. */
static bool read_head(struct unit *u, unsigned *type)
{
    struct sca_reader *r = &u->r;
    u->version = (unsigned)number(r, 2);
    *type = u->version >= 5 ? sca_wire_get_u8(r) : UNIT_COMPILE;
    if (u->version >= 5)
        u->address = sca_wire_get_u8(r);
    u->abbrev = number(r, u->offset);
    if (u->version < 5)
        u->address = sca_wire_get_u8(r);
    if (*type == UNIT_SKELETON || *type == UNIT_SPLIT)
        sca_wire_get_u64(r);
    if (*type == UNIT_TYPE || *type == UNIT_SPLIT_TYPE)
        sca_wire_get_bytes(r, 8 + u->offset);
    return !r->failed && u->version >= 2 && u->version <= 5 && u->address <= 8;
}

void sca_lean_dwarf(struct sca_lean_dwarf *d)
{
    struct sca_reader all;
    uint64_t known = UINT64_MAX; /* whose kinds of entries are in `places` */
    sca_wire_reader_init(&all, d->info, d->info_size);
    d->units = 0;
    while (sca_wire_left(&all) > 4) {
        struct unit u = {.offset = 4};
        unsigned type;
        uint64_t length = sca_wire_get_u32(&all);
        if (length == UINT32_MAX) {
            length = sca_wire_get_u64(&all);
            u.offset = 8;
        }
        if (all.failed || length > sca_wire_left(&all))
            return;
        u.r = all;
        u.r.length = all.position + length;
        sca_wire_get_bytes(&all, length);
        if (!read_head(&u, &type))
            continue;
        d->units += type == UNIT_COMPILE || type == UNIT_SKELETON;
        if (u.abbrev != known && !find_codes(d, u.abbrev)) {
            known = UINT64_MAX;
            continue;
        }
        known = u.abbrev;
        if (walk_unit(d, u, false))
            walk_unit(d, u, true);
    }
}
