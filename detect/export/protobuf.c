#include "export/protobuf.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

static void put(struct sca_protobuf *m, const void *bytes, size_t n)
{
    if (m->length + n > m->capacity) {
        size_t capacity = 2 * (m->length + n) + 64;
        uint8_t *grown = realloc(m->bytes, capacity);
        m->failed |= !grown;
        if (!grown)
            return;
        m->bytes = grown;
        m->capacity = capacity;
    }
    memcpy(m->bytes + m->length, bytes, n);
    m->length += n;
}

static void put_varint(struct sca_protobuf *m, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;
    do {
        bytes[n++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    put(m, bytes, n);
}

static void put_tag(struct sca_protobuf *m, uint32_t field, enum wire_type type)
{
    put_varint(m, (uint64_t)field << 3 | type);
}

static void put_bytes(struct sca_protobuf *m, uint32_t field, const void *bytes, size_t n)
{
    put_tag(m, field, LENGTH);
    put_varint(m, n);
    if (n)
        put(m, bytes, n);
}

void sca_protobuf_varint(struct sca_protobuf *m, uint32_t field, uint64_t value)
{
    put_tag(m, field, VARINT);
    put_varint(m, value);
}

void sca_protobuf_fixed64(struct sca_protobuf *m, uint32_t field, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    put_tag(m, field, FIXED64);
    put(m, bytes, sizeof bytes);
}

void sca_protobuf_text(struct sca_protobuf *m, uint32_t field, const char *text)
{
    put_bytes(m, field, text, strlen(text));
}

void sca_protobuf_message(struct sca_protobuf *m, uint32_t field, struct sca_protobuf *inner)
{
    put_bytes(m, field, inner->bytes, inner->length);
    m->failed |= inner->failed;
    inner->length = 0;
}
