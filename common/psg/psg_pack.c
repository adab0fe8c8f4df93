#include "psg/psg_pack.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    MOST_PER_BYTE = 1032, /* zlib never packs more into one: greater claims are damage */
    LEVEL = 3,            /* half the time of the usual 6, for 3 % more bytes */
    SMALL_LEVEL = 6,      /* where the time is nothing and each byte a share of the object */
    SMALL = 8 * 1024,
    WORTH_IT = 16 /* saved at least: more than the record around it takes */
};

uint8_t *sca_psg_pack(const void *bytes, size_t length, size_t *packed)
{
    struct sca_writer w;
    uLongf room = compressBound(length);
    size_t head = 10;
    int level = length < SMALL ? SMALL_LEVEL : LEVEL;
    uint8_t *out = malloc(head + room);
    if (!out)
        return NULL;
    sca_wire_writer_init(&w, out, head);
    sca_wire_put_varint(&w, length);
    if (compress2(out + w.length, &room, bytes, length, level) == Z_OK &&
        w.length + room + WORTH_IT < length) {
        *packed = w.length + room;
        return out;
    }
    free(out);
    return NULL;
}

uint8_t *sca_psg_unpack(struct sca_reader *r, size_t *length)
{
    uint64_t raw = sca_wire_get_varint(r);
    size_t left = sca_wire_left(r);
    r->failed |= !left || !raw || raw / MOST_PER_BYTE > left;
    uint8_t *out = r->failed ? NULL : malloc(raw);
    uLongf room = raw, used = left;
    if (!out)
        return NULL;
    const uint8_t *bytes = sca_wire_get_bytes(r, left);
    if (uncompress2(out, &room, bytes, &used) == Z_OK && room == raw && used == left) {
        *length = raw;
        return out;
    }
    r->failed = 1;
    free(out);
    return NULL;
}
