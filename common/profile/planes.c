#include "profile/planes.h"

#include <string.h>

enum { MORE = 0x80, MOST_PLANES = 10 }; /* of a varint */
enum { WORD = sizeof(uint64_t) };

size_t sca_planes_count(const struct sca_span *span)
{
    size_t n = 0;
    for (size_t i = 0; i < span->length; i++)
        n += !(span->bytes[i] & MORE);
    return span->length && span->bytes[span->length - 1] & MORE ? SIZE_MAX : n;
}

static bool put_rank(struct sca_writer *out, const struct sca_span *span, unsigned plane)
{
    bool any = false;
    unsigned place = 0; /* within its number */
    for (size_t i = 0; i < span->length; i++) {
        if (place == plane) {
            sca_wire_put_u8(out, span->bytes[i]);
            any = true;
        }
        place = span->bytes[i] & MORE ? place + 1 : 0;
    }
    return any;
}

bool sca_planes_put(struct sca_writer *out, const struct sca_span *spans, uint32_t n,
                    unsigned plane)
{
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        any |= put_rank(out, &spans[i], plane);
    return any;
}

/* ---- reading ---- */

static size_t count_more(const uint8_t *bytes, size_t n)
{
    size_t more = 0, i = 0;
    for (; i + WORD <= n; i += WORD) {
        uint64_t word;
        memcpy(&word, bytes + i, WORD);
        more += ((word >> 7 & 0x0101010101010101u) * 0x0101010101010101u) >> 56;
    }
    for (; i < n; i++)
        more += bytes[i] >> 7;
    return more;
}

static void get_planes(struct sca_reader *in, size_t n, const uint8_t *planes[MOST_PLANES])
{
    for (unsigned k = 0; n && k < MOST_PLANES && !in->failed; k++) {
        planes[k] = sca_wire_get_bytes(in, n);
        n = planes[k] ? count_more(planes[k], n) : 0;
    }
    in->failed |= n > 0; /* a number longer than any */
}

/* The next number, whose first byte is that of plane 0: most numbers have no other. */
static inline uint8_t *put_number(uint8_t first, const uint8_t *planes[MOST_PLANES], uint8_t *to)
{
    uint8_t byte = *to++ = first;
    for (unsigned k = 1; byte & MORE; k++)
        byte = *to++ = *planes[k]++;
    return to;
}

#define MORE_OF_ANY 0x8080808080808080u /* MORE, in each byte of a word */

/* `n` numbers, *first on. Where several in a row have one byte, they are copied together. */
static uint8_t *put_numbers(const uint8_t **first, const uint8_t *planes[MOST_PLANES], size_t n,
                            uint8_t *to)
{
    const uint8_t *from = *first, *end = from + n;
    while (from < end) {
        uint64_t word = MORE_OF_ANY;
        if (end - from >= WORD)
            memcpy(&word, from, WORD);
        if (word & MORE_OF_ANY) {
            to = put_number(*from++, planes, to);
            continue;
        }
        memcpy(to, &word, WORD);
        from += WORD;
        to += WORD;
    }
    *first = from;
    return to;
}

/* Of each rank, as its span's length; returns how many they are in all. */
static size_t get_counts(struct sca_reader *in, struct sca_span *spans, size_t stride, uint32_t n)
{
    size_t all = 0;
    for (uint32_t i = 0; i < n; i++) {
        spans[i * stride].length = sca_wire_get_count(in, 1);
        all += spans[i * stride].length;
    }
    return all;
}

void sca_planes_skip(struct sca_reader *in, struct sca_span *spans, size_t stride, uint32_t n)
{
    const uint8_t *planes[MOST_PLANES] = {0};
    get_planes(in, get_counts(in, spans, stride, n), planes);
    for (uint32_t i = 0; i < n; i++)
        spans[i * stride] = (struct sca_span){in->data, 0};
}

size_t sca_planes_get(struct sca_reader *in, uint8_t *to, struct sca_span *spans, size_t stride,
                      uint32_t n)
{
    const uint8_t *planes[MOST_PLANES] = {0}, *start = to;
    get_planes(in, get_counts(in, spans, stride, n), planes);
    const uint8_t *first = planes[0];
    for (uint32_t i = 0; i < n && !in->failed; i++) {
        struct sca_span *span = &spans[i * stride];
        span->bytes = to;
        to = put_numbers(&first, planes, span->length, to);
        span->length = (size_t)(to - span->bytes);
    }
    return (size_t)(to - start);
}
