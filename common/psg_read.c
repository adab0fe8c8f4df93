#include "psg_memory.h"
#include "psg_pack.h"
#include "psg_records.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* One function per record, all through the sticky reader. */

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
    if (sca_psg_knows_function(psg, f.key))
        return SCA_OK; /* every object with a template's instance repeats it */
    if (r->failed || sca_psg_hash(SCA_PSG_HASH_SEED, r->data + 8, r->length - 8) != f.key)
        return SCA_EFORMAT;
    f.linkage = get_text(r, psg);
    if (!r->failed &&
        sca_psg_push_text(psg, sca_psg_hash(SCA_PSG_HASH_SEED, f.linkage, strlen(f.linkage)),
                          f.linkage))
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

static int get_new_text(struct sca_reader *r, struct sca_psg *psg)
{
    struct sca_reader peek = *r;
    size_t length;
    const char *bytes = sca_get_string(&peek, &length);
    uint64_t hash = bytes ? sca_psg_hash(SCA_PSG_HASH_SEED, bytes, length) : 0;
    if (bytes && sca_psg_knows_text(psg, hash))
        return SCA_OK;
    const char *text = get_text(r, psg);
    return r->failed ? SCA_EFORMAT : sca_psg_push_text(psg, hash, text);
}

static int get_record(enum record record, struct sca_reader *body, struct sca_psg *psg)
{
    struct sca_alias alias;
    switch (record) {
    case RECORD_FUNCTION:
        return get_function(body, psg);
    case RECORD_UNIT:
        return get_unit(body, psg);
    case RECORD_TEXT:
        return get_new_text(body, psg);
    case RECORD_ALIAS:
        alias.linkage = get_text(body, psg);
        alias.target = get_text(body, psg);
        return body->failed ? SCA_EFORMAT : sca_psg_push_alias(psg, &alias);
    case RECORD_PACKED:
        break;
    }
    return SCA_EFORMAT;
}

/* ---- a section, or what was packed in it ---- */

struct source {
    struct sca_psg *psg;
    const char *name;
    bool packed; /* it was: nothing the compiler writes nests */
};

static int read_records(const struct source *from, const void *bytes, size_t length);

static int get_packed(const struct source *from, struct sca_reader *body)
{
    const struct source inside = {from->psg, from->name, true};
    size_t length;
    uint8_t *bytes = from->packed ? NULL : sca_psg_unpack(body, &length);
    if (!bytes)
        return from->packed || body->failed ? SCA_EFORMAT
                                            : sca_fail(SCA_ENOMEM, "out of memory for the graph");
    int status = read_records(&inside, bytes, length);
    free(bytes);
    return status;
}

static int too_new(const struct source *from, unsigned version, size_t at)
{
    return sca_fail(SCA_EVERSION,
                    "%s: graph of version %u at byte %zu of " SCA_PSG_SECTION
                    ", this ScalAna reads up to %u",
                    from->name, version, at, RECORD_VERSION);
}

static int read_record(const struct source *from, struct sca_reader *r)
{
    size_t at = r->position;
    uint8_t mark = sca_get_u8(r);
    if (!mark) /* a linker's padding */
        return SCA_OK;
    enum record record = sca_get_u8(r);
    uint8_t version = sca_get_u8(r);
    if (mark == RECORD_MARK && !r->failed && version > RECORD_VERSION)
        return too_new(from, version, at);
    size_t length = sca_get_count(r, 1);
    const uint8_t *bytes = sca_get_bytes(r, length);
    struct sca_reader body;
    sca_reader_init(&body, bytes, length);
    int status = SCA_EFORMAT;
    if (mark == RECORD_MARK && !r->failed)
        status = record == RECORD_PACKED ? get_packed(from, &body)
                                         : get_record(record, &body, from->psg);
    if (status == SCA_EFORMAT)
        sca_fail(status, "%s: damaged graph at byte %zu of " SCA_PSG_SECTION, from->name, at);
    return status;
}

static int read_records(const struct source *from, const void *bytes, size_t length)
{
    struct sca_reader r;
    int status = SCA_OK;
    sca_reader_init(&r, bytes, length);
    while (!status && sca_left(&r))
        status = read_record(from, &r);
    return status;
}

int sca_psg_add(struct sca_psg *psg, const void *bytes, size_t length, const char *name)
{
    const struct source section = {psg, name, false};
    int status = read_records(&section, bytes, length);
    int settled = sca_psg_settle(psg);
    return status ? status : settled;
}
