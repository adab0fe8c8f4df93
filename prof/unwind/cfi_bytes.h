/*
 * Reading DWARF's encodings from mapped memory, within bounds. Sticky: after the first read past
 * the end `bad` is set and everything yields zero. Async-signal-safe. For cfi*.c alone.
 */
#ifndef SCA_PROF_CFI_BYTES_H
#define SCA_PROF_CFI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sca_cfi_bytes {
    uint64_t at, end;
    bool bad;
};

enum { SCA_PE_ABSOLUTE = 0x00, SCA_PE_RELATIVE = 0x10, SCA_PE_OMIT = 0xff };

static inline void sca_cfi_take(struct sca_cfi_bytes *b, void *out, size_t size)
{
    memset(out, 0, size);
    if (b->bad || b->end - b->at < size) {
        b->bad = true;
        return;
    }
    memcpy(out, (const void *)(uintptr_t)b->at, size);
    b->at += size;
}

static inline uint8_t sca_cfi_u8(struct sca_cfi_bytes *b)
{
    uint8_t v;
    sca_cfi_take(b, &v, sizeof v);
    return v;
}

static inline uint16_t sca_cfi_u16(struct sca_cfi_bytes *b)
{
    uint16_t v;
    sca_cfi_take(b, &v, sizeof v);
    return v;
}

static inline uint32_t sca_cfi_u32(struct sca_cfi_bytes *b)
{
    uint32_t v;
    sca_cfi_take(b, &v, sizeof v);
    return v;
}

static inline uint64_t sca_cfi_u64(struct sca_cfi_bytes *b)
{
    uint64_t v;
    sca_cfi_take(b, &v, sizeof v);
    return v;
}

static inline uint64_t sca_cfi_leb(struct sca_cfi_bytes *b, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = sca_cfi_u8(b);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !b->bad);
    if (is_signed && byte & 0x40 && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return value;
}

static inline uint64_t sca_cfi_uleb(struct sca_cfi_bytes *b)
{
    return sca_cfi_leb(b, false);
}

static inline int64_t sca_cfi_sleb(struct sca_cfi_bytes *b)
{
    return (int64_t)sca_cfi_leb(b, true);
}

static inline void sca_cfi_skip(struct sca_cfi_bytes *b, uint64_t size)
{
    if (b->bad || b->end - b->at < size)
        b->bad = true;
    else
        b->at += size;
}

/* A block of `size` bytes as bytes of its own. */
static inline struct sca_cfi_bytes sca_cfi_block(struct sca_cfi_bytes *b, uint64_t size)
{
    struct sca_cfi_bytes block = {.at = b->at, .end = b->at, .bad = b->bad};
    sca_cfi_skip(b, size);
    block.bad = b->bad;
    if (!b->bad)
        block.end = b->at;
    return block;
}

/* A pointer in one of .eh_frame's encodings (DW_EH_PE_*), absolute or relative to its place. */
static inline uint64_t sca_cfi_pointer(struct sca_cfi_bytes *b, uint8_t encoding)
{
    uint64_t place = b->at, value = 0;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c:
        value = sca_cfi_u64(b);
        break;
    case 0x01:
        value = sca_cfi_uleb(b);
        break;
    case 0x02:
        value = sca_cfi_u16(b);
        break;
    case 0x03:
        value = sca_cfi_u32(b);
        break;
    case 0x09:
        value = (uint64_t)sca_cfi_sleb(b);
        break;
    case 0x0a:
        value = (uint64_t)(int16_t)sca_cfi_u16(b);
        break;
    case 0x0b:
        value = (uint64_t)(int32_t)sca_cfi_u32(b);
        break;
    default:
        b->bad = true;
    }
    if ((encoding & 0x70) == SCA_PE_RELATIVE)
        value += place;
    return value;
}

#endif
