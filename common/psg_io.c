#include "sca_psg.h"
#include "psg_memory.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_MARK = 0xA5, RECORD_VERSION = 1 };
enum record { RECORD_FUNCTION = 'F', RECORD_UNIT = 'U', RECORD_TEXT = 'T', RECORD_ALIAS = 'A' };

/* The first byte of a vertex: kind in the low bits, what follows, then the flags. */
enum { VERTEX_KIND = 7, VERTEX_ARM = 8, VERTEX_FILE = 16, VERTEX_FLAGS = 5 };

uint64_t sca_psg_hash(uint64_t seed, const void *bytes, size_t length)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < length; i++)
        seed = (seed ^ b[i]) * 0x100000001b3u;
    return seed;
}

static uint64_t hash_text(const char *text)
{
    return sca_psg_hash(SCA_PSG_HASH_SEED, text, strlen(text));
}

static void put_head(struct sca_writer *w, enum record record, size_t length)
{
    sca_put_u8(w, RECORD_MARK);
    sca_put_u8(w, (uint8_t)record);
    sca_put_u8(w, RECORD_VERSION);
    sca_put_varint(w, length);
}

static void put_vertex(struct sca_writer *w, const struct sca_function *f, uint32_t index)
{
    const struct sca_vertex *v = &f->vertices[index], *up = &f->vertices[v->parent];
    bool file = index == 0 ? v->file != 0 : v->file != up->file;
    sca_put_u8(w, (uint8_t)(v->kind | (v->arm ? VERTEX_ARM : 0) | (file ? VERTEX_FILE : 0) |
                            v->flags << VERTEX_FLAGS));
    if (index)
        sca_put_varint(w, index - v->parent);
    if (v->arm)
        sca_put_u8(w, v->arm);
    if (file)
        sca_put_varint(w, v->file);
    sca_put_svarint(w, index ? (int64_t)v->line - up->line : v->line);
    sca_put_varint(w, v->end_line - v->line);
    if (v->kind == SCA_CALL || v->kind == SCA_MPI)
        sca_put_u64(w, *v->callee ? hash_text(v->callee) : 0);
}

static void put_content(struct sca_writer *w, const struct sca_function *f)
{
    sca_put_string(w, f->linkage);
    sca_put_string(w, strcmp(f->name, f->linkage) ? f->name : "");
    sca_put_u8(w, f->local);
    sca_put_varint(w, f->nfiles);
    for (uint32_t i = 0; i < f->nfiles; i++)
        sca_put_u64(w, hash_text(f->files[i]));
    sca_put_varint(w, f->nvertices);
    for (uint32_t i = 0; i < f->nvertices; i++)
        put_vertex(w, f, i);
}

/* A writer that hashes what it is given would need no memory, but graphs are small. */
uint64_t sca_psg_function_key(const struct sca_function *function)
{
    struct sca_writer w;
    sca_writer_init(&w, NULL, 0);
    put_content(&w, function);
    uint8_t *bytes = malloc(w.length);
    if (!bytes)
        return 0;
    sca_writer_init(&w, bytes, w.length);
    put_content(&w, function);
    uint64_t key = sca_psg_hash(SCA_PSG_HASH_SEED, bytes, w.length);
    free(bytes);
    return key;
}

void sca_psg_put_function(struct sca_writer *w, const struct sca_function *function)
{
    struct sca_writer size;
    sca_writer_init(&size, NULL, 0);
    put_content(&size, function);
    put_head(w, RECORD_FUNCTION, size.length + 8);
    sca_put_u64(w, sca_psg_function_key(function));
    put_content(w, function);
}

static void put_unit_body(struct sca_writer *w, const struct sca_unit *unit)
{
    uint32_t last = 0;
    sca_put_u64(w, unit->hash);
    sca_put_string(w, unit->source);
    sca_put_varint(w, unit->max_loop_depth);
    sca_put_varint(w, unit->nentries);
    for (uint32_t i = 0; i < unit->nentries; i++) {
        sca_put_u64(w, unit->entries[i].key);
        sca_put_varint(w, unit->entries[i].first_id - last);
        last = unit->entries[i].first_id;
    }
}

void sca_psg_put_unit(struct sca_writer *w, const struct sca_unit *unit)
{
    struct sca_writer size;
    sca_writer_init(&size, NULL, 0);
    put_unit_body(&size, unit);
    put_head(w, RECORD_UNIT, size.length);
    put_unit_body(w, unit);
}

static void put_pair(struct sca_writer *w, enum record record, const char *first,
                     const char *second)
{
    struct sca_writer size;
    sca_writer_init(&size, NULL, 0);
    sca_put_string(&size, first);
    if (second)
        sca_put_string(&size, second);
    put_head(w, record, size.length);
    sca_put_string(w, first);
    if (second)
        sca_put_string(w, second);
}

void sca_psg_put_text(struct sca_writer *w, const char *text)
{
    put_pair(w, RECORD_TEXT, text, NULL);
}

void sca_psg_put_alias(struct sca_writer *w, const struct sca_alias *alias)
{
    put_pair(w, RECORD_ALIAS, alias->linkage, alias->target);
}

/* ---- reading: one function per record, all through the sticky reader ---- */

static uint32_t get_u32(struct sca_reader *r)
{
    uint64_t value = sca_get_varint(r);
    if (value > UINT32_MAX)
        r->failed = 1;
    return r->failed ? 0 : (uint32_t)value;
}

static const char *get_text(struct sca_reader *r, struct sca_psg *psg)
{
    size_t length;
    const char *text = sca_get_string(r, &length);
    char *copy = text ? sca_psg_alloc(psg, length + 1) : NULL;
    if (!copy) {
        r->failed = 1;
        return "";
    }
    memcpy(copy, text, length);
    if (memchr(copy, 0, length))
        r->failed = 1;
    return copy;
}

static void get_vertex(struct sca_reader *r, struct sca_psg *psg, struct sca_function *f,
                       uint32_t index)
{
    struct sca_vertex *v = &f->vertices[index];
    uint8_t head = sca_get_u8(r);
    uint32_t distance = index ? get_u32(r) : 0;
    *v = (struct sca_vertex){.kind = head & VERTEX_KIND, .flags = head >> VERTEX_FLAGS};
    if (r->failed || v->kind > SCA_COMP || distance > index || (index && !distance) ||
        (v->kind == SCA_ROOT) != (index == 0)) {
        r->failed = 1;
        return;
    }
    v->parent = index - distance;
    const struct sca_vertex *up = &f->vertices[v->parent];
    v->arm = head & VERTEX_ARM ? sca_get_u8(r) : 0;
    v->file = head & VERTEX_FILE ? get_u32(r) : index ? up->file : 0;
    int64_t line = sca_get_svarint(r) + (index ? up->line : 0), more = get_u32(r);
    if (line < 0 || line > UINT32_MAX || line + more > UINT32_MAX || v->file >= f->nfiles)
        r->failed = 1;
    v->line = (uint32_t)line;
    v->end_line = (uint32_t)(line + more);
    v->callee = "";
    uint64_t callee = v->kind == SCA_CALL || v->kind == SCA_MPI ? sca_get_u64(r) : 0;
    if (callee && sca_psg_expect_text(psg, &v->callee, callee))
        r->failed = 1;
}

/* Texts may follow in a later section: references wait for sca_psg_settle(). */
static void get_files(struct sca_reader *r, struct sca_psg *psg, struct sca_function *f)
{
    f->nfiles = (uint32_t)sca_get_count(r, 8);
    f->files = sca_psg_alloc(psg, f->nfiles * sizeof *f->files);
    for (uint32_t i = 0; i < f->nfiles && f->files && !r->failed; i++)
        if (sca_psg_expect_text(psg, &f->files[i], sca_get_u64(r)))
            r->failed = 1;
    r->failed |= !f->files;
}

static int get_function(struct sca_reader *r, struct sca_psg *psg)
{
    struct sca_function f = {.key = sca_get_u64(r)};
    if (r->failed || sca_psg_hash(SCA_PSG_HASH_SEED, r->data + 8, r->length - 8) != f.key)
        return SCA_EFORMAT;
    f.linkage = get_text(r, psg);
    if (!r->failed && sca_psg_push_text(psg, hash_text(f.linkage), f.linkage))
        return SCA_ENOMEM;
    f.name = get_text(r, psg);
    f.name = *f.name ? f.name : f.linkage;
    f.local = sca_get_u8(r) & 1;
    get_files(r, psg, &f);
    f.nvertices = (uint32_t)sca_get_count(r, 3);
    f.vertices = sca_psg_alloc(psg, f.nvertices * sizeof *f.vertices);
    if (r->failed || !f.vertices || !f.nvertices || !f.nfiles || !*f.linkage)
        return SCA_EFORMAT;
    for (uint32_t i = 0; i < f.nvertices && !r->failed; i++)
        get_vertex(r, psg, &f, i);
    return r->failed ? SCA_EFORMAT : sca_psg_push_function(psg, &f);
}

static int get_unit(struct sca_reader *r, struct sca_psg *psg)
{
    struct sca_unit unit = {.hash = sca_get_u64(r)};
    uint64_t id = 0;
    unit.source = get_text(r, psg);
    unit.max_loop_depth = get_u32(r);
    unit.nentries = (uint32_t)sca_get_count(r, 9);
    unit.entries = sca_psg_alloc(psg, unit.nentries * sizeof *unit.entries);
    for (uint32_t i = 0; i < unit.nentries && unit.entries && !r->failed; i++) {
        unit.entries[i].key = sca_get_u64(r);
        uint32_t step = get_u32(r);
        id += step;
        unit.entries[i].first_id = (uint32_t)id;
        if (!step || id > SCA_PSG_MAX_ID)
            r->failed = 1;
    }
    return r->failed || !unit.entries ? SCA_EFORMAT : sca_psg_push_unit(psg, &unit);
}

static int get_record(enum record record, struct sca_reader *body, struct sca_psg *psg)
{
    struct sca_alias alias;
    const char *text;
    switch (record) {
    case RECORD_FUNCTION:
        return get_function(body, psg);
    case RECORD_UNIT:
        return get_unit(body, psg);
    case RECORD_TEXT:
        text = get_text(body, psg);
        return body->failed ? SCA_EFORMAT : sca_psg_push_text(psg, hash_text(text), text);
    case RECORD_ALIAS:
        alias.linkage = get_text(body, psg);
        alias.target = get_text(body, psg);
        return body->failed ? SCA_EFORMAT : sca_psg_push_alias(psg, &alias);
    }
    return SCA_EFORMAT;
}

static int read_record(struct sca_psg *psg, struct sca_reader *r, const char *name)
{
    size_t at = r->position;
    uint8_t mark = sca_get_u8(r);
    if (!mark) /* a linker's padding */
        return SCA_OK;
    enum record record = sca_get_u8(r);
    uint8_t version = sca_get_u8(r);
    if (mark == RECORD_MARK && !r->failed && version > RECORD_VERSION)
        return sca_fail(SCA_EVERSION,
                        "%s: graph of version %u at byte %zu of " SCA_PSG_SECTION
                        ", this ScalAna reads up to %u",
                        name, version, at, RECORD_VERSION);
    size_t length = sca_get_count(r, 1);
    const uint8_t *bytes = sca_get_bytes(r, length);
    struct sca_reader body;
    sca_reader_init(&body, bytes, length);
    int status = mark != RECORD_MARK || r->failed ? SCA_EFORMAT : get_record(record, &body, psg);
    if (status == SCA_EFORMAT)
        sca_fail(status, "%s: damaged graph at byte %zu of " SCA_PSG_SECTION, name, at);
    return status;
}

int sca_psg_add(struct sca_psg *psg, const void *bytes, size_t length, const char *name)
{
    struct sca_reader r;
    int status = SCA_OK;
    sca_reader_init(&r, bytes, length);
    while (!status && sca_left(&r))
        status = read_record(psg, &r, name);
    int settled = sca_psg_settle(psg);
    return status ? status : settled;
}
