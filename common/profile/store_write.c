#include "profile/store.h"
#include "profile/tables.h"

#include <string.h>
#include <zlib.h>

enum {
    ZLIB_MEMORY = 512 << 10, /* deflate takes 268 KB with its default window */
    LARGE = 2 << 20          /* would take long at the usual level: 50 ms and more */
};

struct scratch {
    uint8_t *base;
    size_t size, used;
};

static void *take(struct scratch *s, size_t size)
{
    size = (size + 15) / 16 * 16;
    if (s->size - s->used < size)
        return NULL;
    void *memory = s->base + s->used;
    s->used += size;
    return memory;
}

static voidpf zlib_take(voidpf scratch, uInt items, uInt size)
{
    return take(scratch, (size_t)items * size);
}

static void zlib_give(voidpf scratch, voidpf memory)
{
    (void)scratch;
    (void)memory;
}

size_t sca_store_scratch(size_t total, uint32_t nranks)
{
    return total + 64 + ((size_t)nranks + 1) * sizeof(struct sca_reader) + ZLIB_MEMORY;
}

size_t sca_store_bound(size_t total, uint32_t nranks, size_t meta_length)
{
    return SCA_STORE_HEADER + total + meta_length + ((size_t)nranks + 3) * (SCA_CHUNK_HEADER + 32);
}

static uint32_t checksum(const void *bytes, size_t length)
{
    return (uint32_t)crc32_z(0, bytes, length);
}

/* Deflates into `to`; 0 when that saves nothing or there is no memory for it. */
static size_t deflated(const void *raw, size_t length, void *to, size_t room, struct scratch s)
{
    z_stream z = {.zalloc = zlib_take, .zfree = zlib_give, .opaque = &s};
    int level = length > LARGE ? Z_BEST_SPEED : 6;
    if (length > UINT32_MAX || deflateInit(&z, level) != Z_OK)
        return 0;
    z.next_in = (void *)raw;
    z.avail_in = (uInt)length;
    z.next_out = to;
    z.avail_out = (uInt)(room < length ? room : length);
    size_t stored = deflate(&z, Z_FINISH) == Z_STREAM_END ? z.total_out : 0;
    deflateEnd(&z);
    return stored;
}

/* Of what lies behind the room for the header: `stored` bytes of a deflated body, or the raw
 * content where that is 0. */
static void put_packed(struct sca_writer *out, uint32_t tag, const void *raw, size_t length,
                       size_t stored)
{
    size_t start = out->length;
    const void *body = stored ? out->data + start + SCA_CHUNK_HEADER : raw;
    sca_wire_put_u32(out, tag);
    sca_wire_put_u32(out, stored ? SCA_CODING_DEFLATE : SCA_CODING_RAW);
    sca_wire_put_u64(out, length);
    sca_wire_put_u64(out, stored ? stored : length);
    uint32_t head = checksum(out->data + start, SCA_CHUNK_HEADER - 4);
    sca_wire_put_u32(out, (uint32_t)crc32_z(head, body, stored ? stored : length));
    sca_wire_put_bytes(out, body, stored ? stored : length);
}

static void put_chunk(struct sca_writer *out, uint32_t tag, const void *raw, size_t length,
                      struct scratch s)
{
    size_t start = out->length, room = out->capacity - out->length;
    if (out->failed || room < SCA_CHUNK_HEADER) {
        out->failed = 1;
        return;
    }
    uint8_t *body = out->data + start + SCA_CHUNK_HEADER;
    size_t stored = raw ? deflated(raw, length, body, room - SCA_CHUNK_HEADER, s) : 0;
    put_packed(out, tag, raw ? raw : "", length, stored);
}

bool sca_store_code(struct sca_writer *out, const void *content, size_t length, void *scratch,
                    size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    size_t room = out->capacity - out->length;
    if (out->failed || room < SCA_CHUNK_HEADER)
        return false;
    uint8_t *body = out->data + out->length + SCA_CHUNK_HEADER;
    size_t stored = deflated(content, length, body, room - SCA_CHUNK_HEADER, s);
    if (stored)
        put_packed(out, SCA_CHUNK_CODE, content, length, stored);
    return stored;
}

void sca_store_series(struct sca_writer *out, const void *content, size_t length, void *scratch,
                      size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    put_chunk(out, SCA_CHUNK_SERIES, content, length, s);
}

static void put_store_header(struct sca_writer *out, uint32_t nranks)
{
    size_t start = out->length;
    sca_wire_put_bytes(out, SCA_STORE_MAGIC, sizeof SCA_STORE_MAGIC);
    sca_wire_put_u32(out, SCA_STORE_VERSION);
    sca_wire_put_u32(out, nranks);
    if (!out->failed)
        sca_wire_put_u32(out, checksum(out->data + start, SCA_STORE_HEADER - 4));
}

/* Turns n images round: section by section, each of all ranks, so that what resembles lies
 * together. The images' own length prefixes serve on. */
static void put_group(struct sca_writer *group, struct sca_reader *cursor, uint32_t first,
                      uint32_t n)
{
    sca_wire_put_varint(group, first);
    sca_wire_put_varint(group, n);
    sca_wire_put_varint(group, SCA_SECTIONS);
    for (int section = 0; section < SCA_SECTIONS; section++)
        for (uint32_t i = 0; i < n; i++) {
            size_t length = 0;
            const char *from = sca_wire_get_string(&cursor[i], &length);
            sca_wire_put_varint(group, length);
            sca_wire_put_bytes(group, from, length);
            group->failed |= cursor[i].failed;
        }
}

void sca_store_begin(struct sca_writer *out, uint32_t nranks, const void *meta, size_t meta_length,
                     void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    put_store_header(out, nranks);
    put_chunk(out, SCA_CHUNK_META, meta, meta_length, s);
}

/* `images` are those of the group alone. */
void sca_store_group(struct sca_writer *out, const struct sca_store_image *images, uint32_t first,
                     uint32_t n, void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    struct sca_reader *cursor = take(&s, n * sizeof *cursor);
    struct sca_writer group;
    size_t bytes = 64;
    for (uint32_t i = 0; cursor && i < n; i++) {
        sca_wire_reader_init(&cursor[i], images[i].bytes, images[i].length);
        bytes += images[i].length;
    }
    uint8_t *raw = cursor ? take(&s, bytes) : NULL;
    sca_wire_writer_init(&group, raw, raw ? bytes : 0);
    group.failed = !raw;
    if (raw)
        put_group(&group, cursor, first, n);
    out->failed |= group.failed;
    put_chunk(out, SCA_CHUNK_RANKS, raw, group.length, s);
}

void sca_store_end(struct sca_writer *out, uint32_t chunks, void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    uint8_t end[8];
    struct sca_writer w;
    sca_wire_writer_init(&w, end, sizeof end);
    sca_wire_put_u32(&w, chunks + 1);
    put_chunk(out, SCA_CHUNK_END, end, w.length, s);
}

void sca_store_write(struct sca_writer *out, const struct sca_store_image *images, uint32_t nranks,
                     const void *meta, size_t meta_length, void *scratch, size_t scratch_size)
{
    uint32_t groups = 0;
    sca_store_begin(out, nranks, meta, meta_length, scratch, scratch_size);
    for (uint32_t first = 0, n; first < nranks; first += n, groups++) {
        size_t bytes = images[first].length;
        for (n = 1; first + n < nranks && bytes + images[first + n].length < SCA_STORE_GROUP; n++)
            bytes += images[first + n].length;
        sca_store_group(out, images + first, first, n, scratch, scratch_size);
    }
    sca_store_end(out, groups, scratch, scratch_size);
}
