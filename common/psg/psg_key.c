#include "psg/psg_records.h"

#include <string.h>

static uint64_t hash_byte(uint64_t seed, unsigned byte)
{
    return (seed ^ byte) * 0x100000001b3u;
}

uint64_t sca_psg_hash(uint64_t seed, const void *bytes, size_t length)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < length; i++)
        seed = hash_byte(seed, b[i]);
    return seed;
}

/* As sca_wire_put_varint() writes it. */
static uint64_t hash_varint(uint64_t seed, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        seed = hash_byte(seed, (value & 0x7f) | 0x80);
    return hash_byte(seed, (unsigned)value);
}

/* As sca_wire_put_string() writes it. */
static uint64_t hash_string(uint64_t seed, const char *text)
{
    size_t length = strlen(text);
    return sca_psg_hash(hash_varint(seed, length), text, length);
}

static uint64_t hash_vertex(uint64_t seed, const struct sca_vertex *v)
{
    seed = hash_byte(seed, v->kind);
    seed = hash_byte(seed, v->flags);
    seed = hash_byte(seed, v->arm);
    seed = hash_varint(seed, v->parent);
    seed = hash_varint(seed, v->file);
    seed = hash_varint(seed, v->line);
    seed = hash_varint(seed, v->end_line);
    return hash_string(seed, v->callee);
}

uint64_t sca_psg_key(const struct sca_function *f)
{
    uint64_t key = hash_string(SCA_PSG_HASH_SEED, f->linkage);
    key = hash_string(key, f->name);
    key = hash_byte(key, f->local);
    for (uint32_t i = 0; i < f->nfiles; i++)
        key = hash_string(key, f->files[i]);
    for (uint32_t i = 0; i < f->nvertices; i++)
        key = hash_vertex(key, &f->vertices[i]);
    return key;
}

static uint64_t hash_number(uint64_t seed, uint64_t number)
{
    for (int i = 0; i < 8; i++, number >>= 8)
        seed = hash_byte(seed, number & 0xff);
    return seed;
}

/* One source compiled twice with other flags gives two units, unless nothing differs. */
uint64_t sca_psg_key_unit_hash(const struct sca_unit *unit)
{
    uint64_t hash = sca_psg_hash(SCA_PSG_HASH_SEED, unit->source, strlen(unit->source));
    hash = hash_number(hash, unit->max_loop_depth);
    for (uint32_t i = 0; i < unit->nentries; i++) {
        hash = hash_number(hash, unit->entries[i].key);
        hash = hash_number(hash, unit->entries[i].first_id);
    }
    return hash;
}
