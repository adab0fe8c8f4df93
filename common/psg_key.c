#include "psg_records.h"

#include <stdlib.h>
#include <string.h>

uint64_t sca_psg_hash(uint64_t seed, const void *bytes, size_t length)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < length; i++)
        seed = (seed ^ b[i]) * 0x100000001b3u;
    return seed;
}

static void put_vertex(struct sca_writer *w, const struct sca_function *f, uint32_t index)
{
    const struct sca_vertex *v = &f->vertices[index];
    sca_put_u8(w, v->kind);
    sca_put_u8(w, v->flags);
    sca_put_u8(w, v->arm);
    sca_put_varint(w, v->parent);
    sca_put_varint(w, v->file);
    sca_put_varint(w, v->line);
    sca_put_varint(w, v->end_line);
    sca_put_string(w, v->callee);
}

static void put_content(struct sca_writer *w, const struct sca_function *f)
{
    sca_put_string(w, f->linkage);
    sca_put_string(w, f->name);
    sca_put_u8(w, f->local);
    for (uint32_t i = 0; i < f->nfiles; i++)
        sca_put_string(w, f->files[i]);
    for (uint32_t i = 0; i < f->nvertices; i++)
        put_vertex(w, f, i);
}

static size_t most_bytes(const struct sca_function *f)
{
    enum { MOST_VERTEX = 32, MOST_TEXT = 10 }; /* numbers of one */
    size_t most = strlen(f->linkage) + strlen(f->name) + 3 * MOST_TEXT;
    for (uint32_t i = 0; i < f->nfiles; i++)
        most += strlen(f->files[i]) + MOST_TEXT;
    for (uint32_t i = 0; i < f->nvertices; i++)
        most += strlen(f->vertices[i].callee) + MOST_VERTEX;
    return most;
}

uint64_t sca_psg_key(const struct sca_function *function, bool *failed)
{
    struct sca_writer w;
    size_t most = most_bytes(function);
    uint8_t *bytes = malloc(most);
    *failed |= !bytes;
    if (!bytes)
        return 0;
    sca_writer_init(&w, bytes, most);
    put_content(&w, function);
    uint64_t key = sca_psg_hash(SCA_PSG_HASH_SEED, bytes, w.length);
    free(bytes);
    return key;
}

static uint64_t hash_number(uint64_t seed, uint64_t number)
{
    uint8_t bytes[8];
    struct sca_writer w;
    sca_writer_init(&w, bytes, sizeof bytes);
    sca_put_u64(&w, number);
    return sca_psg_hash(seed, bytes, sizeof bytes);
}

/* One source compiled twice with other flags gives two units, unless nothing differs. */
uint64_t sca_psg_unit_hash(const struct sca_unit *unit)
{
    uint64_t hash = sca_psg_hash(SCA_PSG_HASH_SEED, unit->source, strlen(unit->source));
    hash = hash_number(hash, unit->max_loop_depth);
    for (uint32_t i = 0; i < unit->nentries; i++) {
        hash = hash_number(hash, unit->entries[i].key);
        hash = hash_number(hash, unit->entries[i].first_id);
    }
    return hash;
}
