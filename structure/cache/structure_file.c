#include "cache/structure_file.h"
#include "sca_error.h"
#include "sca_wire.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Another way to recover structure is another version: what the cache holds is made anew then. */
enum { VERSION = 2, MOST_HEAD = 32, MOST_ROW = 16, MOST_STACK = 10 };

static const char magic[] = "SCASTRUC";

/* ---- writing ---- */

static void put_body(struct sca_writer *w, const struct sca_structure *s)
{
    uint64_t address = 0;
    sca_wire_put_u64(w, s->unit);
    sca_wire_put_varint(w, s->loops);
    sca_wire_put_varint(w, s->near);
    sca_wire_put_varint(w, s->psg_size);
    sca_wire_put_bytes(w, s->psg, s->psg_size);
    sca_wire_put_varint(w, s->nstacks);
    for (uint32_t i = 1; i < s->nstacks; i++) {
        sca_wire_put_varint(w, s->stacks[i].outer);
        sca_wire_put_varint(w, s->stacks[i].id);
    }
    sca_wire_put_varint(w, s->nrows);
    for (uint32_t i = 0; i < s->nrows; i++) {
        sca_wire_put_varint(w, s->rows[i].address - address);
        sca_wire_put_varint(w, s->rows[i].stack);
        address = s->rows[i].address;
    }
}

static uint8_t *pack(const uint8_t *body, size_t length, size_t *size)
{
    uLongf packed = compressBound(length);
    uint8_t *out = malloc(MOST_HEAD + packed);
    struct sca_writer w;
    if (!out)
        return NULL;
    sca_wire_writer_init(&w, out, MOST_HEAD);
    sca_wire_put_bytes(&w, magic, sizeof magic);
    sca_wire_put_varint(&w, VERSION);
    sca_wire_put_varint(&w, length);
    if (w.failed || compress2(out + w.length, &packed, body, length, Z_BEST_SPEED) != Z_OK) {
        free(out);
        return NULL;
    }
    *size = w.length + packed;
    return out;
}

uint8_t *sca_structure_encode(const struct sca_structure *s, size_t *length)
{
    size_t most = MOST_HEAD + s->psg_size + (size_t)s->nstacks * MOST_STACK +
                  (size_t)s->nrows * MOST_ROW + MOST_HEAD;
    uint8_t *body = malloc(most), *out = NULL;
    struct sca_writer w;
    if (body) {
        sca_wire_writer_init(&w, body, most);
        put_body(&w, s);
        out = w.failed ? NULL : pack(body, w.length, length);
    }
    free(body);
    if (!out)
        sca_fail(SCA_ENOMEM, "out of memory for a binary's structure");
    return out;
}

/* ---- reading ---- */

static uint32_t get_below(struct sca_reader *r, uint64_t limit)
{
    uint64_t value = sca_wire_get_varint(r);
    r->failed |= value >= limit;
    return r->failed ? 0 : (uint32_t)value;
}

static void get_stacks(struct sca_reader *r, struct sca_structure *s)
{
    s->nstacks = (uint32_t)sca_wire_get_count(r, 1);
    s->stacks = calloc(s->nstacks + 1ul, sizeof *s->stacks);
    r->failed |= !s->stacks || !s->nstacks;
    for (uint32_t i = 1; !r->failed && i < s->nstacks; i++) {
        s->stacks[i].outer = get_below(r, i); /* what is around is there before */
        s->stacks[i].id = get_below(r, UINT32_MAX);
    }
}

static void get_rows(struct sca_reader *r, struct sca_structure *s)
{
    uint64_t address = 0;
    s->nrows = (uint32_t)sca_wire_get_count(r, 2);
    s->rows = calloc(s->nrows + 1ul, sizeof *s->rows);
    r->failed |= !s->rows;
    for (uint32_t i = 0; !r->failed && i < s->nrows; i++) {
        address += sca_wire_get_varint(r);
        s->rows[i] = (struct sca_structure_row){address, get_below(r, s->nstacks)};
    }
}

static void get_psg(struct sca_reader *r, struct sca_structure *s)
{
    s->psg_size = sca_wire_get_count(r, 1);
    const uint8_t *bytes = sca_wire_get_bytes(r, s->psg_size);
    s->psg = bytes ? malloc(s->psg_size + 1) : NULL;
    r->failed |= !s->psg;
    if (s->psg)
        memcpy(s->psg, bytes, s->psg_size);
}

static int get_body(const uint8_t *body, size_t length, const char *name, struct sca_structure *s)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, body, length);
    s->unit = sca_wire_get_u64(&r);
    s->loops = get_below(&r, UINT32_MAX);
    s->near = get_below(&r, UINT32_MAX);
    get_psg(&r, s);
    get_stacks(&r, s);
    get_rows(&r, s);
    return r.failed || sca_wire_left(&r)
               ? sca_fail(SCA_EFORMAT, "%s is damaged: its structure cannot be read", name)
               : SCA_OK;
}

int sca_structure_decode(const void *bytes, size_t length, const char *name,
                         struct sca_structure *out)
{
    enum { MOST_RATIO = 1100 /* of deflate */ };
    struct sca_reader r;
    *out = (struct sca_structure){0};
    sca_wire_reader_init(&r, bytes, length);
    const uint8_t *found = sca_wire_get_bytes(&r, sizeof magic);
    if (!found || memcmp(found, magic, sizeof magic))
        return sca_fail(SCA_EFORMAT, "%s is not the structure of a binary", name);
    if (sca_wire_get_varint(&r) != VERSION)
        return sca_fail(SCA_EVERSION, "%s was written by another release", name);
    uLongf size = sca_wire_get_varint(&r);
    size_t left = sca_wire_left(&r);
    bool sane = !r.failed && size / MOST_RATIO <= left;
    uint8_t *body = sane ? malloc(size + 1) : NULL;
    bool whole = body && uncompress(body, &size, r.data + r.position, left) == Z_OK;
    int status = whole ? get_body(body, size, name, out)
                       : sca_fail(SCA_EFORMAT, "%s is damaged or truncated", name);
    free(body);
    if (status)
        sca_structure_free(out);
    return status;
}
