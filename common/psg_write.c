#include "psg_pack.h"
#include "psg_records.h"
#include "sca_psg.h"

#include <stdlib.h>
#include <string.h>

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

/* The record from behind its key on, to be freed; NULL: out of memory. */
static uint8_t *content_of(const struct sca_function *f, size_t *length)
{
    enum { MOST_VERTEX = 40, MOST_NUMBERS = 48 }; /* written once, into room for the longest */
    size_t most = strlen(f->linkage) + strlen(f->name) + f->nfiles * sizeof(uint64_t) +
                  (size_t)f->nvertices * MOST_VERTEX + MOST_NUMBERS;
    struct sca_writer w;
    uint8_t *bytes = malloc(most);
    if (!bytes)
        return NULL;
    sca_writer_init(&w, bytes, most);
    put_content(&w, f);
    *length = w.length;
    return bytes;
}

uint64_t sca_psg_put_function(struct sca_writer *w, const struct sca_function *function)
{
    size_t length = 0;
    uint8_t *bytes = content_of(function, &length);
    uint64_t key = bytes ? sca_psg_hash(SCA_PSG_HASH_SEED, bytes, length) : 0;
    w->failed |= !bytes;
    put_head(w, RECORD_FUNCTION, length + 8);
    sca_put_u64(w, key);
    sca_put_bytes(w, bytes, length);
    free(bytes);
    return key;
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

void sca_psg_put_packed(struct sca_writer *w, const void *records, size_t length)
{
    size_t size;
    uint8_t *packed = sca_psg_pack(records, length, &size);
    if (packed)
        put_head(w, RECORD_PACKED, size);
    sca_put_bytes(w, packed ? packed : records, packed ? size : length);
    free(packed);
}
