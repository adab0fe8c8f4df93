#include "profile/planes.h"
#include "profile/store.h"
#include "profile/tables.h"

#include <string.h>
#include <zlib.h>

enum {
    ZLIB_MEMORY = 512 << 10, /* deflate takes 268 KB with its default window */
    LARGE = 2 << 20,         /* would take long at the usual level: 50 ms and more */
    BLOCK = 1 << 10,         /* bytes that are worth a code of their own */
    MOST_CUTS = 1 << 10,
    GROUP_HEAD = 64 + SCA_SECTIONS /* what a group has besides its images: the sections' forms */
};

/* Where the content changes its kind: what follows is coded by itself. */
struct cuts {
    size_t at[MOST_CUTS];
    uint32_t n;
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
    size_t of_rank = sizeof(struct sca_reader) + sizeof(struct sca_span);
    return total + GROUP_HEAD + 64 + ((size_t)nranks + 1) * of_rank + sizeof(struct cuts) +
           ZLIB_MEMORY;
}

size_t sca_store_bound(size_t total, uint32_t nranks, size_t meta_length)
{
    return SCA_STORE_HEADER + total + GROUP_HEAD + meta_length +
           ((size_t)nranks + 3) * (SCA_CHUNK_HEADER + 32);
}

static uint32_t checksum(const void *bytes, size_t length)
{
    return (uint32_t)crc32_z(0, bytes, length);
}

/* Nearer ones are not worth it. */
static void cut(struct cuts *cuts, size_t at)
{
    size_t last = cuts->n ? cuts->at[cuts->n - 1] : 0;
    if (at - last >= BLOCK && cuts->n < MOST_CUTS)
        cuts->at[cuts->n++] = at;
}

/* In a block up to each cut. */
static bool deflate_all(z_stream *z, const uint8_t *raw, size_t length, const struct cuts *cuts)
{
    size_t from = 0;
    int status = Z_OK;
    for (uint32_t i = 0; i <= (cuts ? cuts->n : 0); i++) {
        bool last = !cuts || i == cuts->n;
        size_t to = last ? length : cuts->at[i];
        z->next_in = (void *)(raw + from);
        z->avail_in = (uInt)(to - from);
        status = deflate(z, last ? Z_FINISH : Z_BLOCK);
        from = to;
    }
    return status == Z_STREAM_END;
}

/* Deflates into `to`; 0 when that saves nothing or there is no memory for it. */
static size_t deflated(const void *raw, size_t length, const struct cuts *cuts, void *to,
                       size_t room, struct scratch s)
{
    z_stream z = {.zalloc = zlib_take, .zfree = zlib_give, .opaque = &s};
    int level = length > LARGE ? Z_BEST_SPEED : 6;
    if (length > UINT32_MAX || deflateInit(&z, level) != Z_OK)
        return 0;
    z.next_out = to;
    z.avail_out = (uInt)(room < length ? room : length);
    size_t stored = deflate_all(&z, raw, length, cuts) ? z.total_out : 0;
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
                      const struct cuts *cuts, struct scratch s)
{
    size_t start = out->length, room = out->capacity - out->length;
    if (out->failed || room < SCA_CHUNK_HEADER) {
        out->failed = 1;
        return;
    }
    uint8_t *body = out->data + start + SCA_CHUNK_HEADER;
    size_t stored = raw ? deflated(raw, length, cuts, body, room - SCA_CHUNK_HEADER, s) : 0;
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
    size_t stored = deflated(content, length, NULL, body, room - SCA_CHUNK_HEADER, s);
    if (stored)
        put_packed(out, SCA_CHUNK_CODE, content, length, stored);
    return stored;
}

void sca_store_series(struct sca_writer *out, const void *content, size_t length, void *scratch,
                      size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    put_chunk(out, SCA_CHUNK_SERIES, content, length, NULL, s);
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

/* A group that is being written: n images, and what of them comes next. */
struct group {
    struct sca_reader *cursor;
    struct sca_span *spans; /* the section of each */
    struct cuts *cuts;
    uint32_t n;
};

/* Numbers alone, as far as can be seen. */
static bool is_planes(const struct group *g, int section)
{
    bool columns = section && section < SCA_FIRST_DURATIONS;
    if (section >= SCA_FIRST_ROWS || (columns && sca_columns[section - 1].coding == SCA_CODE_BYTES))
        return false;
    for (uint32_t i = 0; i < g->n; i++)
        if (sca_planes_count(&g->spans[i]) == SIZE_MAX)
            return false;
    return true;
}

static void put_planes(struct sca_writer *out, const struct group *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        sca_wire_put_varint(out, sca_planes_count(&g->spans[i]));
    for (unsigned plane = 0; sca_planes_put(out, g->spans, g->n, plane); plane++)
        cut(g->cuts, out->length);
}

static void put_spans(struct sca_writer *out, const struct group *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        sca_wire_put_varint(out, g->spans[i].length);
    for (uint32_t i = 0; i < g->n; i++)
        sca_wire_put_bytes(out, g->spans[i].bytes, g->spans[i].length);
    cut(g->cuts, out->length);
}

static void put_section(struct sca_writer *out, const struct group *g, int section)
{
    for (uint32_t i = 0; i < g->n; i++) {
        g->spans[i].bytes = (const void *)sca_wire_get_string(&g->cursor[i], &g->spans[i].length);
        out->failed |= g->cursor[i].failed;
    }
    if (out->failed)
        return;
    bool planes = is_planes(g, section);
    sca_wire_put_u8(out, planes ? SCA_FORM_PLANES : SCA_FORM_BYTES);
    if (planes)
        put_planes(out, g);
    else
        put_spans(out, g);
}

/* Turns the images round: section by section, each of all ranks, so that what resembles lies
 * together. */
static void put_group(struct sca_writer *out, const struct group *g, uint32_t first)
{
    sca_wire_put_varint(out, first);
    sca_wire_put_varint(out, g->n);
    sca_wire_put_varint(out, SCA_SECTIONS);
    for (int section = 0; section < SCA_SECTIONS; section++)
        put_section(out, g, section);
}

void sca_store_begin(struct sca_writer *out, uint32_t nranks, const void *meta, size_t meta_length,
                     void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    put_store_header(out, nranks);
    put_chunk(out, SCA_CHUNK_META, meta, meta_length, NULL, s);
}

/* `images` are those of the group alone. */
void sca_store_group(struct sca_writer *out, const struct sca_store_image *images, uint32_t first,
                     uint32_t n, void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    struct group g = {take(&s, n * sizeof *g.cursor), take(&s, n * sizeof *g.spans),
                      take(&s, sizeof *g.cuts), n};
    struct sca_writer group;
    size_t bytes = GROUP_HEAD;
    for (uint32_t i = 0; g.cuts && i < n; i++) {
        sca_wire_reader_init(&g.cursor[i], images[i].bytes, images[i].length);
        bytes += images[i].length;
    }
    uint8_t *raw = g.cuts ? take(&s, bytes) : NULL;
    sca_wire_writer_init(&group, raw, raw ? bytes : 0);
    group.failed = !raw;
    if (raw) {
        g.cuts->n = 0;
        put_group(&group, &g, first);
    }
    out->failed |= group.failed;
    put_chunk(out, SCA_CHUNK_RANKS, raw, group.length, g.cuts, s);
}

void sca_store_end(struct sca_writer *out, uint32_t chunks, void *scratch, size_t scratch_size)
{
    struct scratch s = {scratch, scratch_size, 0};
    uint8_t end[8];
    struct sca_writer w;
    sca_wire_writer_init(&w, end, sizeof end);
    sca_wire_put_u32(&w, chunks + 1);
    put_chunk(out, SCA_CHUNK_END, end, w.length, NULL, s);
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
