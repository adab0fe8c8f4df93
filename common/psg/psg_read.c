#include "psg/psg_memory.h"
#include "psg/psg_pack.h"
#include "psg/psg_records.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* A unit while it is read, and room for one function of it. */
struct unit_reading {
    struct sca_psg *psg;
    const char **texts;
    struct sca_unit_entry *entries;
    struct sca_vertex *vertices;
    const char **files;
    size_t entries_size, vertices_size, files_size; /* capacities */
    uint32_t ntexts, used, nentries, nfiles, next_id;
};

static int make_room(void *array, size_t *capacity, size_t count, size_t each)
{
    void **at = array, *grown;
    size_t more = count + count / 2 + 16;
    if (count <= *capacity)
        return SCA_OK;
    grown = realloc(*at, more * each);
    if (!grown)
        return sca_fail(SCA_ENOMEM, "out of memory for the graph");
    *at = grown;
    *capacity = more;
    return SCA_OK;
}

/* ---- all through the sticky reader ---- */

static uint32_t get_u32(struct sca_reader *r)
{
    uint64_t value = sca_wire_get_varint(r);
    if (value > UINT32_MAX)
        r->failed = 1;
    return r->failed ? 0 : (uint32_t)value;
}

static const char *get_text(struct sca_reader *r, struct unit_reading *u)
{
    uint64_t code = sca_wire_get_varint(r);
    r->failed |= code == TEXT_NEXT ? u->used == u->ntexts : code >= TEXT_USED + (uint64_t)u->used;
    if (r->failed || code == TEXT_NONE)
        return "";
    return code == TEXT_NEXT ? u->texts[u->used++] : u->texts[u->used - 1 - (code - TEXT_USED)];
}

/* NUL-terminated, one behind the other. */
static int get_texts(struct sca_reader *r, struct unit_reading *u)
{
    u->ntexts = (uint32_t)sca_wire_get_count(r, 2);
    u->texts = calloc(u->ntexts + 1, sizeof *u->texts);
    if (!u->texts)
        return sca_fail(SCA_ENOMEM, "out of memory for the graph");
    for (uint32_t i = 0; i < u->ntexts && !r->failed; i++) {
        const uint8_t *text = r->data + r->position, *end = memchr(text, 0, sca_wire_left(r));
        r->failed |= !end || end == text;
        u->texts[i] = r->failed ? "" : sca_psg_memory_text(u->psg, text, (size_t)(end - text));
        if (!u->texts[i])
            return SCA_ENOMEM;
        if (!r->failed)
            sca_wire_get_bytes(r, (size_t)(end - text) + 1);
    }
    return SCA_OK;
}

/* The file's index in the function, which has those of its vertices in the order they come. */
static uint32_t get_file(struct sca_reader *r, struct unit_reading *u)
{
    const char *file = get_text(r, u);
    uint32_t index = 0;
    while (index < u->nfiles && u->files[index] != file) /* there is one copy of each text */
        index++;
    if (index < u->nfiles)
        return index;
    r->failed |= make_room(&u->files, &u->files_size, u->nfiles + 1, sizeof *u->files) != SCA_OK;
    if (!r->failed)
        u->files[u->nfiles++] = file;
    return index;
}

static uint32_t get_line(struct sca_reader *r, uint32_t from, int64_t more)
{
    if (more < -(int64_t)from || more > (int64_t)UINT32_MAX - from) {
        r->failed = 1;
        return 0;
    }
    return (uint32_t)(from + more);
}

static void get_vertex(struct sca_reader *r, struct unit_reading *u, uint32_t index)
{
    struct sca_vertex *v = &u->vertices[index];
    uint8_t head = sca_wire_get_u8(r);
    uint32_t distance = index ? get_u32(r) : 0;
    *v = (struct sca_vertex){.kind = head & VERTEX_KIND, .flags = head >> VERTEX_FLAGS};
    if (v->kind == VERTEX_NEAR_LOOP) {
        v->kind = SCA_LOOP;
        v->flags |= SCA_VF_NEAR;
    }
    if (r->failed || v->kind > SCA_COMP || distance > index || (index && !distance) ||
        (v->kind == SCA_ROOT) != (index == 0) || (!index && !(head & VERTEX_FILE))) {
        r->failed = 1;
        return;
    }
    v->parent = index - distance;
    const struct sca_vertex *up = &u->vertices[v->parent];
    v->arm = head & VERTEX_ARM ? sca_wire_get_u8(r) : 0;
    v->file = head & VERTEX_FILE ? get_file(r, u) : up->file;
    v->line = get_line(r, index ? up->line : 0, sca_wire_get_svarint(r));
    v->end_line = get_line(r, v->line, get_u32(r));
    v->callee = v->kind == SCA_CALL || v->kind == SCA_MPI ? get_text(r, u) : "";
}

/* From where it was read into the graph's own memory. */
static int keep_function(struct sca_psg *psg, struct sca_function *f)
{
    const char **files = sca_psg_memory_alloc(psg, f->nfiles * sizeof *files);
    struct sca_vertex *vertices = sca_psg_memory_alloc(psg, f->nvertices * sizeof *vertices);
    if (!files || !vertices)
        return SCA_ENOMEM;
    memcpy(files, f->files, f->nfiles * sizeof *files);
    memcpy(vertices, f->vertices, f->nvertices * sizeof *vertices);
    f->files = files;
    f->vertices = vertices;
    return sca_psg_memory_push_function(psg, f);
}

static int add_entry(struct unit_reading *u, const struct sca_function *f)
{
    uint32_t first = u->nentries ? u->next_id : 1;
    if (f->nvertices > SCA_PSG_MAX_ID || first > SCA_PSG_MAX_ID)
        return SCA_EFORMAT;
    if (make_room(&u->entries, &u->entries_size, u->nentries + 1, sizeof *u->entries))
        return SCA_ENOMEM;
    u->entries[u->nentries++] = (struct sca_unit_entry){f->key, first};
    u->next_id = first + f->nvertices;
    return SCA_OK;
}

static int get_vertices(struct sca_reader *r, struct unit_reading *u, struct sca_function *f)
{
    f->nvertices = (uint32_t)sca_wire_get_count(r, 3);
    r->failed |= !f->nvertices;
    if (make_room(&u->vertices, &u->vertices_size, f->nvertices, sizeof *u->vertices))
        return SCA_ENOMEM;
    u->nfiles = 0;
    for (uint32_t i = 0; i < f->nvertices && !r->failed; i++)
        get_vertex(r, u, i);
    f->nfiles = u->nfiles;
    f->files = u->files;
    f->vertices = u->vertices;
    return r->failed ? SCA_EFORMAT : SCA_OK;
}

static int get_function(struct sca_reader *r, struct unit_reading *u)
{
    struct sca_function f = {.linkage = get_text(r, u)};
    f.name = get_text(r, u);
    f.name = *f.name ? f.name : f.linkage;
    uint8_t flags = sca_wire_get_u8(r);
    f.local = flags & FUNCTION_LOCAL;
    r->failed |= !*f.linkage;
    int status = get_vertices(r, u, &f);
    f.key = status ? 0 : sca_psg_key(&f);
    if (!status && flags & FUNCTION_NUMBERED)
        status = add_entry(u, &f);
    if (status || sca_psg_memory_knows_function(u->psg, f.key)) /* templates: in every object */
        return status;
    return keep_function(u->psg, &f);
}

static int get_alias(struct sca_reader *r, struct unit_reading *u)
{
    struct sca_alias alias = {.linkage = get_text(r, u)};
    alias.target = get_text(r, u);
    return r->failed ? SCA_EFORMAT : sca_psg_memory_push_alias(u->psg, &alias);
}

static int keep_unit(struct unit_reading *u, struct sca_unit *unit)
{
    unit->nentries = u->nentries;
    unit->entries = u->entries;
    if (unit->hash != sca_psg_key_unit_hash(unit))
        return SCA_EFORMAT;
    unit->entries = sca_psg_memory_alloc(u->psg, u->nentries * sizeof *unit->entries);
    if (!unit->entries)
        return SCA_ENOMEM;
    if (u->nentries)
        memcpy(unit->entries, u->entries, u->nentries * sizeof *unit->entries);
    return sca_psg_memory_push_unit(u->psg, unit);
}

static int get_body(struct sca_reader *r, struct unit_reading *u)
{
    struct sca_unit unit = {.hash = sca_wire_get_u64(r)};
    size_t length;
    const char *source = sca_wire_get_string(r, &length);
    unit.max_loop_depth = get_u32(r);
    if (r->failed || memchr(source, 0, length))
        return SCA_EFORMAT;
    unit.source = sca_psg_memory_text(u->psg, source, length);
    int status = unit.source ? get_texts(r, u) : SCA_ENOMEM;
    for (size_t left = sca_wire_get_count(r, 6); !status && left > 0; left--)
        status = get_function(r, u);
    for (size_t left = sca_wire_get_count(r, 2); !status && left > 0; left--)
        status = get_alias(r, u);
    if (!status && (r->failed || sca_wire_left(r)))
        status = SCA_EFORMAT;
    return status ? status : keep_unit(u, &unit);
}

static int get_unit(struct sca_reader *r, struct sca_psg *psg)
{
    struct unit_reading unit = {.psg = psg};
    int status = get_body(r, &unit);
    free(unit.texts);
    free(unit.entries);
    free(unit.vertices);
    free(unit.files);
    return status;
}

/* ---- a section, or what was packed in it ---- */

struct psg_bytes {
    struct sca_psg *psg;
    const char *name;
    bool packed; /* it was: nothing the compiler writes nests */
};

static int read_records(const struct psg_bytes *from, const void *bytes, size_t length);

static int get_packed(const struct psg_bytes *from, struct sca_reader *body)
{
    const struct psg_bytes inside = {from->psg, from->name, true};
    size_t length;
    uint8_t *bytes = from->packed ? NULL : sca_psg_unpack(body, &length);
    if (!bytes)
        return from->packed || body->failed ? SCA_EFORMAT
                                            : sca_fail(SCA_ENOMEM, "out of memory for the graph");
    int status = read_records(&inside, bytes, length);
    free(bytes);
    return status;
}

static int other_version(const struct psg_bytes *from, unsigned version, size_t at)
{
    return sca_fail(SCA_EVERSION,
                    "%s: graph of version %u at byte %zu of " SCA_PSG_SECTION
                    ", this ScalAna reads version %u%s",
                    from->name, version, at, RECORD_VERSION,
                    version < RECORD_VERSION ? ": compile it again with scalana-static" : "");
}

static int read_record(const struct psg_bytes *from, struct sca_reader *r)
{
    size_t at = r->position;
    uint8_t mark = sca_wire_get_u8(r);
    if (!mark) /* a linker's padding */
        return SCA_OK;
    enum record record = sca_wire_get_u8(r);
    uint8_t version = sca_wire_get_u8(r);
    if (mark == RECORD_MARK && !r->failed && version != RECORD_VERSION)
        return other_version(from, version, at);
    size_t length = sca_wire_get_count(r, 1);
    const uint8_t *bytes = sca_wire_get_bytes(r, length);
    struct sca_reader body;
    sca_wire_reader_init(&body, bytes, length);
    int status = SCA_EFORMAT;
    if (mark == RECORD_MARK && !r->failed)
        status = record == RECORD_PACKED ? get_packed(from, &body)
                 : record == RECORD_UNIT ? get_unit(&body, from->psg)
                                         : SCA_EFORMAT;
    if (status == SCA_EFORMAT)
        sca_fail(status, "%s: damaged graph at byte %zu of " SCA_PSG_SECTION, from->name, at);
    return status;
}

static int read_records(const struct psg_bytes *from, const void *bytes, size_t length)
{
    struct sca_reader r;
    int status = SCA_OK;
    sca_wire_reader_init(&r, bytes, length);
    while (!status && sca_wire_left(&r))
        status = read_record(from, &r);
    return status;
}

int sca_psg_add(struct sca_psg *psg, const void *bytes, size_t length, const char *name)
{
    const struct psg_bytes section = {psg, name, false};
    int status = read_records(&section, bytes, length);
    int settled = sca_psg_memory_settle(psg);
    return status ? status : settled;
}
