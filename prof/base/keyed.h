/*
 * A hash table that grows a line at a time: what it holds is found in one line of the cache or a
 * few more, however much there is, and no call moves more than one line's elements (linear hashing;
 * Litwin, 1980). It takes about 20 bytes per element, and keeps them until the process ends.
 *
 * Elements are the caller's blocks of the pool (pool.h) and begin with their key, a uint64_t that
 * stays as it is meanwhile. A static table that is zero is empty. State lock held; not for
 * handlers.
 */
#ifndef SCA_PROF_KEYED_H
#define SCA_PROF_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCA_TABLE_FIRST = 8, SCA_TABLE_SLOTS = 6, SCA_TABLE_SEGMENTS = 22 };

/* Slots in use come first. Each has an element's address and bits of its key's hash, and a byte of
 * that hash lies beside those of the others: a key is compared with all of them at once. */
struct sca_table_line {
    uint8_t marks[8]; /* of slots, from 1; the last byte says how many are in use */
    uint64_t slots[SCA_TABLE_SLOTS];
    struct sca_table_line *more; /* what had no room here */
} __attribute__((aligned(64)));

struct sca_table {
    uint32_t count; /* of elements */
    uint32_t lines; /* in use */
    uint32_t mask;  /* of a line's number while the table doubles, */
    uint32_t half;  /* and of the lines that are not split yet */
    bool stuck;     /* without room for more */
    /* Of its first lines, and of as many again as there are before: less the number of its first
     * line each, so that a line's number leads to it. */
    struct sca_table_line *segments[SCA_TABLE_SEGMENTS];
    struct sca_table_line first[SCA_TABLE_FIRST];
};

/* NULL: none. Of several with the key, any. */
void *sca_table_find(const struct sca_table *table, uint64_t key);
/* Whether or not there is one with its key. False without memory. */
bool sca_table_add(struct sca_table *table, void *element);
/* One that is there. */
void sca_table_remove(struct sca_table *table, const void *element);

static inline struct sca_table_line *sca_table_line(const struct sca_table *table, uint32_t number)
{
    unsigned segment = (unsigned)__builtin_clz(SCA_TABLE_FIRST - 1) -
                       (unsigned)__builtin_clz(number | (SCA_TABLE_FIRST - 1));
    return segment ? table->segments[segment] + number
                   : (struct sca_table_line *)&table->first[number];
}

/* Fibonacci hashing (Knuth); the lower half has a part of the upper one, which is the better. */
static inline uint64_t sca_table_hash(uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* The line of a hash at the table's present size. */
static inline struct sca_table_line *sca_table_home(const struct sca_table *table, uint64_t hash)
{
    uint32_t number = (uint32_t)hash & table->mask;
    if (number >= table->lines)
        number = (uint32_t)hash & table->half;
    return sca_table_line(table, number);
}

/* It will be asked for soon: its line, and when that is there, the element. Where the table has
 * more than caches keep, that spares a wait for memory. */
void sca_table_fetch(const struct sca_table *table, uint64_t key);
static inline void sca_table_expect(const struct sca_table *table, uint64_t key)
{
    __builtin_prefetch(sca_table_home(table, sca_table_hash(key)), 1);
}

#endif
