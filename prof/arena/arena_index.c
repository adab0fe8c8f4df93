/*
 * The arena's index: open addressing over records that hold their keys themselves. A slot has a
 * record's number, from 1, and bits of its key's hash: few records are looked at in vain, so that
 * the slots may be three quarters full.
 */
#include "arena/arena.h"
#include "base/reserve.h"

#include <string.h>

enum { FIRST_SLOTS = 256, NUMBER_BITS = 20 };
#define NUMBER (((uint32_t)1 << NUMBER_BITS) - 1)

int sca_arena_index_map(struct sca_index *index, uint32_t capacity)
{
    uint32_t limit = FIRST_SLOTS;
    while (limit < 2 * (uint64_t)capacity)
        limit *= 2;
    void *slots = sca_reserve((size_t)limit * sizeof(uint32_t));
    if (!slots)
        return -1;
    *index = (struct sca_index){.slots = slots, .mask = FIRST_SLOTS - 1, .limit = limit};
    return 0;
}

void sca_arena_index_unmap(struct sca_index *index)
{
    if (index->slots)
        sca_unreserve(index->slots, (size_t)index->limit * sizeof(uint32_t));
    *index = (struct sca_index){0};
}

bool sca_arena_index_grow(struct sca_index *index)
{
    if (index->mask + 1 >= index->limit)
        return false;
    index->mask = 2 * index->mask + 1;
    memset(index->slots, 0, ((size_t)index->mask + 1) * sizeof(uint32_t));
    return true;
}

static const uint32_t *key_of(const struct sca_records *records, uint32_t i)
{
    return (const void *)((const char *)records->first + (size_t)i * records->stride);
}

/* Of a few words: a call of memcmp() would take longer. */
static inline bool is_key(const uint32_t *record, const uint32_t *key, unsigned words)
{
    while (words && record[words - 1] == key[words - 1])
        words--;
    return !words;
}

static inline bool has_key(uint32_t slot, uint32_t hash, const struct sca_records *records,
                           const uint32_t *key, unsigned words)
{
    return (slot ^ hash) <= NUMBER && is_key(key_of(records, (slot & NUMBER) - 1), key, words);
}

/* The slot of the key, or the free slot where it belongs. */
static uint32_t *lookup(const struct sca_index *index, const struct sca_records *records,
                        const uint32_t *key, unsigned words, uint32_t hash)
{
    uint32_t at = hash & index->mask;
    while (index->slots[at] && !has_key(index->slots[at], hash, records, key, words))
        at = (at + 1) & index->mask;
    return &index->slots[at];
}

static void enter(struct sca_index *index, const struct sca_records *records, uint32_t i,
                  unsigned words)
{
    const uint32_t *key = key_of(records, i);
    uint32_t hash = sca_arena_index_hash_words(key, words),
             *slot = lookup(index, records, key, words, hash);
    if (!*slot)
        *slot = (hash & ~NUMBER) | (i + 1);
}

static bool is_full(const struct sca_index *index, uint32_t entries)
{
    return entries >= (index->mask + 1) / 4 * 3;
}

/* Brings the index up to the table's count. */
static void catch_up(struct sca_index *index, const struct sca_records *records, unsigned words)
{
    while (is_full(index, records->count) && sca_arena_index_grow(index))
        index->entries = 0;
    for (; index->entries < records->count; index->entries++)
        enter(index, records, index->entries, words);
}

uint32_t sca_arena_index_find(struct sca_index *index, const struct sca_records *records,
                              const uint32_t *key, unsigned words)
{
    catch_up(index, records, words);
    uint32_t slot = *lookup(index, records, key, words, sca_arena_index_hash_words(key, words));
    return slot ? (slot & NUMBER) - 1 : SCA_NONE;
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

uint32_t sca_arena_index_hash_words(const uint32_t *words, unsigned n)
{
    uint32_t hash = 0x2545f491u;
    for (unsigned i = 0; i < n; i++)
        hash = mix(hash, words[i]);
    return mix(hash, n);
}

uint32_t sca_arena_index_hash_text(const char *text)
{
    uint32_t hash = 0x2545f491u;
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}
