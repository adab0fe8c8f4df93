/*
 * Bytes, field by field: the only way any ScalAna format is written or read.
 *
 * Always little-endian. Neither side allocates: the writer fills a buffer of the caller's, the
 * reader looks into one. Both are sticky: after the first overflow (writer) or the first read
 * past the end or malformed number (reader), further calls do nothing and return zero, and
 * `failed` is set, so that code can read a whole record and check once.
 * Async-signal-safe and thread-safe as long as one writer or reader stays with one thread.
 */
#ifndef SCA_WIRE_H
#define SCA_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sca_writer {
    uint8_t *data; /* caller's; NULL with capacity 0 only counts: `length` is what it would take */
    size_t capacity;
    size_t length;
    int failed;
};

struct sca_reader {
    const uint8_t *data;
    size_t length;
    size_t position;
    int failed;
};

void sca_wire_writer_init(struct sca_writer *w, void *data, size_t capacity);
void sca_wire_put_u8(struct sca_writer *w, uint8_t value);
void sca_wire_put_u32(struct sca_writer *w, uint32_t value);
void sca_wire_put_u64(struct sca_writer *w, uint64_t value);
void sca_wire_put_varint(struct sca_writer *w, uint64_t value); /* LEB128, 1 to 10 bytes */
void sca_wire_put_svarint(struct sca_writer *w, int64_t value); /* zigzag, then LEB128 */
void sca_wire_put_bytes(struct sca_writer *w, const void *bytes, size_t length);
void sca_wire_put_string(struct sca_writer *w, const char *text); /* varint length, bytes, no NUL */

void sca_wire_reader_init(struct sca_reader *r, const void *data, size_t length);
static inline uint8_t sca_wire_get_u8(struct sca_reader *r)
{
    if (!r->failed && r->position < r->length)
        return r->data[r->position++];
    r->failed = 1;
    return 0;
}
uint32_t sca_wire_get_u32(struct sca_reader *r);
uint64_t sca_wire_get_u64(struct sca_reader *r);
uint64_t sca_wire_get_long_varint(struct sca_reader *r); /* of any length */
/* Most numbers take one byte. */
static inline uint64_t sca_wire_get_varint(struct sca_reader *r)
{
    if (!r->failed && r->position < r->length && r->data[r->position] < 0x80)
        return r->data[r->position++];
    return sca_wire_get_long_varint(r);
}
static inline int64_t sca_wire_get_svarint(struct sca_reader *r)
{
    uint64_t raw = sca_wire_get_varint(r);
    return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}
/* A pointer to `length` bytes inside the reader's buffer, or NULL (and failed). */
const uint8_t *sca_wire_get_bytes(struct sca_reader *r, size_t length);
/* A string in place: not NUL-terminated; *length is set. NULL (and failed) if cut off. */
const char *sca_wire_get_string(struct sca_reader *r, size_t *length);
/* A count of records that each take at least `least` bytes: fails if they cannot fit in what is
 * left, so that a damaged count never leads to a huge allocation. */
size_t sca_wire_get_count(struct sca_reader *r, size_t least);
size_t sca_wire_left(const struct sca_reader *r);

#ifdef __cplusplus
}
#endif
#endif
