#include "sca_wire.h"

#include <string.h>

void sca_wire_writer_init(struct sca_writer *w, void *data, size_t capacity)
{
    *w = (struct sca_writer){.data = data, .capacity = capacity};
}

void sca_wire_put_bytes(struct sca_writer *w, const void *bytes, size_t length)
{
    if (w->data && w->capacity - w->length < length)
        w->failed = 1;
    if (w->failed)
        return;
    if (w->data && length)
        memcpy(w->data + w->length, bytes, length);
    w->length += length;
}

void sca_wire_put_u8(struct sca_writer *w, uint8_t value)
{
    sca_wire_put_bytes(w, &value, 1);
}

static void put_little(struct sca_writer *w, uint64_t value, size_t bytes)
{
    uint8_t raw[8];
    for (size_t i = 0; i < bytes; i++)
        raw[i] = (uint8_t)(value >> (8 * i));
    sca_wire_put_bytes(w, raw, bytes);
}

void sca_wire_put_u32(struct sca_writer *w, uint32_t value)
{
    put_little(w, value, 4);
}

void sca_wire_put_u64(struct sca_writer *w, uint64_t value)
{
    put_little(w, value, 8);
}

void sca_wire_put_varint(struct sca_writer *w, uint64_t value)
{
    uint8_t raw[10];
    size_t n = 0;
    do {
        raw[n] = (uint8_t)(value & 0x7f);
        value >>= 7;
        if (value)
            raw[n] |= 0x80;
        n++;
    } while (value);
    sca_wire_put_bytes(w, raw, n);
}

void sca_wire_put_svarint(struct sca_writer *w, int64_t value)
{
    sca_wire_put_varint(w, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

void sca_wire_put_string(struct sca_writer *w, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    sca_wire_put_varint(w, length);
    sca_wire_put_bytes(w, text, length);
}

void sca_wire_reader_init(struct sca_reader *r, const void *data, size_t length)
{
    *r = (struct sca_reader){.data = data, .length = length};
}

size_t sca_wire_left(const struct sca_reader *r)
{
    return r->failed ? 0 : r->length - r->position;
}

const uint8_t *sca_wire_get_bytes(struct sca_reader *r, size_t length)
{
    if (r->failed || r->length - r->position < length) {
        r->failed = 1;
        return NULL;
    }
    const uint8_t *bytes = r->data + r->position;
    r->position += length;
    return bytes;
}

static uint64_t get_little(struct sca_reader *r, size_t bytes)
{
    const uint8_t *raw = sca_wire_get_bytes(r, bytes);
    uint64_t value = 0;
    for (size_t i = 0; raw && i < bytes; i++)
        value |= (uint64_t)raw[i] << (8 * i);
    return value;
}

uint32_t sca_wire_get_u32(struct sca_reader *r)
{
    return (uint32_t)get_little(r, 4);
}

uint64_t sca_wire_get_u64(struct sca_reader *r)
{
    return get_little(r, 8);
}

uint64_t sca_wire_get_long_varint(struct sca_reader *r)
{
    uint64_t value = 0;
    const uint8_t *at = r->data + r->position, *end = r->data + r->length;
    for (unsigned shift = 0; !r->failed && at < end && shift < 64; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            r->position = (size_t)(at - r->data);
            return value;
        }
    }
    r->failed = 1;
    return 0;
}

const char *sca_wire_get_string(struct sca_reader *r, size_t *length)
{
    uint64_t n = sca_wire_get_varint(r);
    *length = 0;
    if (n > sca_wire_left(r)) {
        r->failed = 1;
        return NULL;
    }
    *length = (size_t)n;
    return (const char *)sca_wire_get_bytes(r, (size_t)n);
}

size_t sca_wire_get_count(struct sca_reader *r, size_t least)
{
    uint64_t n = sca_wire_get_varint(r);
    if (least && n > sca_wire_left(r) / least) {
        r->failed = 1;
        return 0;
    }
    return (size_t)n;
}
