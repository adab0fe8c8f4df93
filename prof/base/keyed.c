#include "base/keyed.h"
#include "base/hot.h"
#include "base/pool.h"
#include "base/reserve.h"

#include <string.h>

/*
 * A slot: the address of a block, which is a multiple of 32 and below 2^48, and the hash's bits
 * from the ninth on.
 */
enum { FREE_BITS = 5, ADDRESS_BITS = 43, HASH_FROM = 8 };
enum { USUAL = 4 /* elements of a line: with more it is time to grow */ };
static const uint64_t ADDRESS = ((uint64_t)1 << ADDRESS_BITS) - 1;

static void *element_of(uint64_t slot)
{
    return (void *)((slot & ADDRESS) << FREE_BITS);
}

static uint64_t key_of(const void *element)
{
    return *(const uint64_t *)element;
}

static uint64_t slot_of(const void *element, uint64_t hash)
{
    return (uintptr_t)element >> FREE_BITS | hash >> HASH_FROM << ADDRESS_BITS;
}

static uint8_t mark_of(uint64_t hash)
{
    uint8_t mark = (uint8_t)(hash >> 56);
    return mark ? mark : 1;
}

/* The uppermost bit of each byte that is such a mark, and of some above these that are not. */
static uint64_t marked(const struct sca_table_line *line, uint8_t mark)
{
    const uint64_t ones = 0x010101010101u, tops = 0x808080808080u;
    uint64_t marks;
    memcpy(&marks, line->marks, sizeof marks);
    marks ^= ones * mark;
    return (marks - ones) & ~marks & tops;
}

void *sca_table_find(const struct sca_table *table, uint64_t key)
{
    uint64_t hash = sca_table_hash(key);
    const struct sca_table_line *line = sca_table_home(table, hash);
    do {
        for (uint64_t bits = marked(line, mark_of(hash)); bits; bits &= bits - 1) {
            void *element = element_of(line->slots[__builtin_ctzll(bits) / 8]);
            if (__builtin_expect(element && key_of(element) == key, 1))
                return element;
        }
        line = line->more;
    } while (__builtin_expect(line != NULL, 0));
    return NULL;
}

void sca_table_fetch(const struct sca_table *table, uint64_t key)
{
    uint64_t hash = sca_table_hash(key);
    const struct sca_table_line *line = sca_table_home(table, hash);
    uint64_t bits = marked(line, mark_of(hash));
    if (bits)
        __builtin_prefetch(element_of(line->slots[__builtin_ctzll(bits) / 8]), 1);
}

static SCA_COLD struct sca_table_line *one_more(struct sca_table_line *line)
{
    struct sca_table_line *more = sca_pool_alloc(sizeof *more);
    if (more) {
        more->more = line->more;
        line->more = more;
    }
    return more;
}

static uint8_t *used(struct sca_table_line *line)
{
    return &line->marks[7];
}

static bool put(struct sca_table_line *line, uint64_t slot, uint8_t mark)
{
    struct sca_table_line *at = line;
    while (at && *used(at) == SCA_TABLE_SLOTS)
        at = at->more;
    if (!at && !(at = one_more(line)))
        return false;
    unsigned i = (*used(at))++;
    at->slots[i] = slot;
    at->marks[i] = mark;
    return true;
}

/* Bit `bit` of the hash. While the table is small its elements are asked. */
static bool has_bit(uint64_t slot, unsigned bit)
{
    uint64_t hash = bit < HASH_FROM ? sca_table_hash(key_of(element_of(slot))) >> bit
                                    : slot >> (ADDRESS_BITS + bit - HASH_FROM);
    return hash & 1;
}

/* A line's slots go to that line and its new partner. Those behind it are given back before their
 * slots need as many again: no memory can be short. */
static void split(struct sca_table_line *from, struct sca_table_line *to, unsigned bit)
{
    struct sca_table_line line = *from;
    memset(from, 0, sizeof *from);
    for (;;) {
        for (unsigned i = 0; i < *used(&line); i++)
            put(has_bit(line.slots[i], bit) ? to : from, line.slots[i], line.marks[i]);
        struct sca_table_line *next = line.more;
        if (!next)
            break;
        line = *next;
        sca_pool_free(next, sizeof *next);
    }
}

/* Room for as many lines again. */
static SCA_COLD bool double_room(struct sca_table *table)
{
    uint32_t lines = table->lines;
    unsigned segment = (unsigned)__builtin_ctz(lines / SCA_TABLE_FIRST) + 1;
    size_t bytes = lines * sizeof(struct sca_table_line);
    void *fresh = segment < SCA_TABLE_SEGMENTS ? sca_reserve_large(bytes) : NULL;
    table->stuck = !fresh;
    if (fresh)
        table->segments[segment] = (struct sca_table_line *)((uintptr_t)fresh - bytes);
    return fresh;
}

static void grow(struct sca_table *table)
{
    uint32_t half = table->half + 1, number = table->lines;
    if (table->stuck || (number == half && !double_room(table)))
        return;
    table->lines++;
    split(sca_table_line(table, number - half), sca_table_line(table, number),
          (unsigned)__builtin_ctz(half));
    if (number == table->mask) {
        table->half = table->mask;
        table->mask = 2 * table->mask + 1;
    }
}

static SCA_COLD void begin(struct sca_table *table)
{
    table->lines = SCA_TABLE_FIRST;
    table->half = SCA_TABLE_FIRST - 1;
    table->mask = 2 * SCA_TABLE_FIRST - 1;
}

bool sca_table_add(struct sca_table *table, void *element)
{
    if (__builtin_expect(!table->lines, 0))
        begin(table);
    uint64_t hash = sca_table_hash(key_of(element));
    if (!put(sca_table_home(table, hash), slot_of(element, hash), mark_of(hash)))
        return false;
    if (__builtin_expect(++table->count / USUAL > table->half, 0))
        grow(table);
    return true;
}

/* The last slot of a line replaces the one that is removed. */
static bool take_out(struct sca_table_line *line, uint64_t slot, uint8_t mark)
{
    uint64_t bits = marked(line, mark);
    while (bits && line->slots[__builtin_ctzll(bits) / 8] != slot)
        bits &= bits - 1;
    if (!bits)
        return false;
    unsigned at = (unsigned)__builtin_ctzll(bits) / 8, last = --*used(line);
    line->slots[at] = line->slots[last];
    line->marks[at] = line->marks[last];
    line->slots[last] = 0;
    line->marks[last] = 0;
    return true;
}

void sca_table_remove(struct sca_table *table, const void *element)
{
    uint64_t hash = sca_table_hash(key_of(element)), slot = slot_of(element, hash);
    struct sca_table_line *line = sca_table_home(table, hash), **link = NULL;
    while (!take_out(line, slot, mark_of(hash))) {
        link = &line->more;
        line = *link;
    }
    table->count--;
    if (link && !*used(line)) {
        *link = line->more;
        sca_pool_free(line, sizeof *line);
    }
}
