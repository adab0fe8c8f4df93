#include "psg/psg_pack.h"
#include "psg/psg_records.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1 /* a text that does not fit is written again */
#include <uthash.h>

struct sca_psg_written {
    uint64_t hash;
    uint32_t number;
    UT_hash_handle hh;
};

static void put_head(struct sca_writer *w, enum record record, size_t length)
{
    sca_wire_put_u8(w, RECORD_MARK);
    sca_wire_put_u8(w, (uint8_t)record);
    sca_wire_put_u8(w, RECORD_VERSION);
    sca_wire_put_varint(w, length);
}

/* A writer for `most` more bytes; what it wrote counts once add_written() says so. */
static struct sca_writer room_in(struct sca_psg_output *out, struct sca_psg_bytes *b, size_t most)
{
    struct sca_writer w;
    if (b->capacity - b->length < most) {
        size_t more = 2 * b->capacity + most;
        uint8_t *grown = realloc(b->data, more);
        out->failed |= !grown;
        if (grown)
            *b = (struct sca_psg_bytes){grown, b->length, more};
    }
    sca_wire_writer_init(&w, b->data ? b->data + b->length : NULL, b->capacity - b->length);
    w.failed = out->failed;
    return w;
}

static void add_written(struct sca_psg_output *out, struct sca_psg_bytes *b,
                        const struct sca_writer *w)
{
    out->failed |= w->failed;
    b->length += w->failed ? 0 : w->length;
}

static void add_text(struct sca_psg_output *out, const char *text, size_t length, uint64_t hash)
{
    struct sca_psg_written *known = malloc(sizeof *known);
    struct sca_writer w = room_in(out, &out->texts, length + 1);
    sca_wire_put_bytes(&w, text, length + 1);
    add_written(out, &out->texts, &w);
    out->ntexts++;
    if (known) {
        *known = (struct sca_psg_written){.hash = hash, .number = out->ntexts};
        HASH_ADD(hh, out->written, hash, sizeof hash, known);
    }
}

/* Eight bytes at a time: names of templates are long. */
static uint64_t text_hash(const char *text, size_t length)
{
    uint64_t hash = SCA_PSG_HASH_SEED ^ length, word;
    for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return sca_psg_hash(hash, text, length);
}

static void put_text(struct sca_psg_output *out, struct sca_writer *w, const char *text)
{
    size_t length = strlen(text);
    uint64_t hash = text_hash(text, length);
    struct sca_psg_written *known = NULL;
    if (length)
        HASH_FIND(hh, out->written, &hash, sizeof hash, known);
    if (length && !known)
        add_text(out, text, length, hash);
    sca_wire_put_varint(w, known    ? TEXT_USED + out->ntexts - known->number
                           : length ? TEXT_NEXT
                                    : TEXT_NONE);
}

static void put_vertex(struct sca_psg_output *out, struct sca_writer *w,
                       const struct sca_function *f, uint32_t index)
{
    const struct sca_vertex *v = &f->vertices[index], *up = &f->vertices[v->parent];
    bool file = index == 0 || v->file != up->file;
    bool near = v->kind == SCA_LOOP && (v->flags & SCA_VF_NEAR);
    sca_wire_put_u8(w, (uint8_t)((near ? VERTEX_NEAR_LOOP : v->kind) | (v->arm ? VERTEX_ARM : 0) |
                                 (file ? VERTEX_FILE : 0) | v->flags << VERTEX_FLAGS));
    if (index)
        sca_wire_put_varint(w, index - v->parent);
    if (v->arm)
        sca_wire_put_u8(w, v->arm);
    if (file)
        put_text(out, w, f->files[v->file]);
    sca_wire_put_svarint(w, index ? (int64_t)v->line - up->line : v->line);
    sca_wire_put_varint(w, v->end_line - v->line);
    if (v->kind == SCA_CALL || v->kind == SCA_MPI)
        put_text(out, w, v->callee);
}

static void add_entry(struct sca_psg_output *out, const struct sca_function *f)
{
    if (out->nentries == out->capacity) {
        size_t more = out->capacity ? out->capacity * 2 : 64;
        struct sca_unit_entry *grown = realloc(out->entries, more * sizeof *grown);
        out->failed |= !grown;
        if (!grown)
            return;
        out->entries = grown;
        out->capacity = more;
    }
    uint32_t first = out->nentries ? out->next_id : 1;
    out->entries[out->nentries++] = (struct sca_unit_entry){sca_psg_key(f), first};
    out->next_id = first + f->nvertices;
}

void sca_psg_put_function(struct sca_psg_output *out, const struct sca_function *f, bool numbered)
{
    enum { MOST_VERTEX = 32, MOST_NUMBERS = 24 };
    size_t most = (size_t)f->nvertices * MOST_VERTEX + MOST_NUMBERS;
    struct sca_writer w = room_in(out, &out->functions, most);
    put_text(out, &w, f->linkage);
    put_text(out, &w, strcmp(f->name, f->linkage) ? f->name : "");
    sca_wire_put_u8(
        &w, (uint8_t)((f->local ? FUNCTION_LOCAL : 0) | (numbered ? FUNCTION_NUMBERED : 0)));
    sca_wire_put_varint(&w, f->nvertices);
    for (uint32_t i = 0; i < f->nvertices; i++)
        put_vertex(out, &w, f, i);
    add_written(out, &out->functions, &w);
    out->nfunctions++;
    if (numbered)
        add_entry(out, f);
}

void sca_psg_put_alias(struct sca_psg_output *out, const struct sca_alias *alias)
{
    enum { MOST = 20 };
    struct sca_writer w = room_in(out, &out->aliases, MOST);
    put_text(out, &w, alias->linkage);
    put_text(out, &w, alias->target);
    add_written(out, &out->aliases, &w);
    out->naliases++;
}

static void put_body(struct sca_writer *w, const struct sca_psg_output *out,
                     const struct sca_unit *unit)
{
    sca_wire_put_u64(w, unit->hash);
    sca_wire_put_string(w, unit->source);
    sca_wire_put_varint(w, unit->max_loop_depth);
    sca_wire_put_varint(w, out->ntexts);
    sca_wire_put_bytes(w, out->texts.data, out->texts.length);
    sca_wire_put_varint(w, out->nfunctions);
    sca_wire_put_bytes(w, out->functions.data, out->functions.length);
    sca_wire_put_varint(w, out->naliases);
    sca_wire_put_bytes(w, out->aliases.data, out->aliases.length);
}

uint64_t sca_psg_put_unit(struct sca_writer *w, struct sca_psg_output *out, const char *source,
                          uint32_t max_loop_depth)
{
    struct sca_unit unit = {0, source, max_loop_depth, out->nentries, out->entries};
    struct sca_writer size;
    unit.hash = sca_psg_key_unit_hash(&unit);
    sca_wire_writer_init(&size, NULL, 0);
    put_body(&size, out, &unit);
    put_head(w, RECORD_UNIT, size.length);
    put_body(w, out, &unit);
    w->failed |= out->failed;
    return unit.hash;
}

size_t sca_psg_unit_size(const struct sca_psg_output *out, const char *source)
{
    enum { MOST_NUMBERS = 64 };
    return MOST_NUMBERS + strlen(source) + out->texts.length + out->functions.length +
           out->aliases.length;
}

void sca_psg_output_free(struct sca_psg_output *out)
{
    struct sca_psg_written *text, *next;
    HASH_ITER(hh, out->written, text, next)
    {
        HASH_DEL(out->written, text);
        free(text);
    }
    free(out->texts.data);
    free(out->functions.data);
    free(out->aliases.data);
    free(out->entries);
    *out = (struct sca_psg_output){0};
}

void sca_psg_put_packed(struct sca_writer *w, const void *records, size_t length)
{
    size_t size;
    uint8_t *packed = sca_psg_pack(records, length, &size);
    if (packed)
        put_head(w, RECORD_PACKED, size);
    sca_wire_put_bytes(w, packed ? packed : records, packed ? size : length);
    free(packed);
}
