#include "arena/arena.h"
#include "base/hot.h"
#include "base/reserve.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_STEP = 16 << 10, PAIRS_BITS = 6, MOST_WORDS = 4 };

static struct {
    struct sca_part_header *header;
    uint8_t *first[SCA_T_COUNT]; /* record of each table */
    struct sca_index index[SCA_T_COUNT];
    uint64_t bytes;
    int error;
    uint64_t reserved[SCA_T_COUNT];  /* bytes of each table that have disk blocks */
    uint64_t timed[SCA_TIMED_COUNT]; /* as much, of what stands beside */
    struct {                         /* as the header has it, in fewer lines of the cache */
        struct sca_part_durations *first;
        uint32_t n;
    } durations[SCA_TIMED_COUNT];
} arena SCA_HOT_TABLE;
static struct sca_arena_map map;

/* Found lately. */
static struct recent {
    uint32_t table, key[MOST_WORDS];
    uint32_t index; /* from 1 */
} __attribute__((aligned(32))) recent[2 << PAIRS_BITS] SCA_HOT_TABLE;

static struct sca_part_directory *directory(enum sca_part_table table)
{
    return &arena.header->table[table];
}

static void *record(enum sca_part_table table, uint32_t index)
{
    return arena.first[table] + (uint64_t)index * directory(table)->stride;
}

/* Gives the table's first `bytes` bytes disk blocks. Steps grow with the table: few system calls
 * for a large one, little waste for a small one. Failing once, a table is full for good. */
static SCA_COLD bool reserve(struct sca_part_directory *d, uint64_t *reserved, uint64_t bytes)
{
    uint64_t have = *reserved;
    if (bytes <= have)
        return true;
    uint64_t whole = (uint64_t)d->stride * d->capacity;
    uint64_t want = have / 2 > FIRST_STEP ? have + have / 2 / 4096 * 4096 : have + FIRST_STEP;
    if (want < bytes)
        want = bytes;
    if (want > whole)
        want = whole;
    if (sca_arena_file_reserve(&map, d->offset + have, want - have)) {
        d->capacity = (uint32_t)(have / d->stride);
        return false;
    }
    *reserved = want;
    return true;
}

/* Beside one more record of sites or intervals. Without room, none after it has any. */
static SCA_COLD void add_durations(enum sca_timed timed, uint32_t index)
{
    struct sca_part_directory *d = &arena.header->timed.of[timed];
    if (d->count == index && index < d->capacity &&
        reserve(d, &arena.timed[timed], (index + 1ull) * d->stride))
        arena.durations[timed].n = d->count = index + 1;
}

static bool room(enum sca_part_table table, uint32_t records)
{
    if (!arena.header)
        return false;
    struct sca_part_directory *d = directory(table);
    if (records <= d->capacity - d->count &&
        reserve(d, &arena.reserved[table], ((uint64_t)d->count + records) * d->stride))
        return true;
    d->dropped++;
    return false;
}

static void count_records(enum sca_part_table table, uint32_t records)
{
    struct sca_part_directory *d = directory(table);
    __atomic_store_n(&d->count, d->count + records, __ATOMIC_RELEASE);
}

void *sca_arena_next(enum sca_part_table table)
{
    if (!room(table, 1))
        return NULL;
    struct sca_part_directory *d = directory(table);
    if (table == SCA_T_SITES)
        add_durations(SCA_TIMED_SITES, d->count);
    else if (table == SCA_T_INTERVALS)
        add_durations(SCA_TIMED_INTERVALS, d->count);
    return memset(record(table, d->count), 0, d->stride);
}

uint32_t sca_arena_known(enum sca_part_table table, const uint32_t *key, unsigned key_words)
{
    if (!arena.header)
        return SCA_NONE;
    const struct sca_part_directory *d = directory(table);
    return sca_arena_index_find(&arena.index[table],
                                &(struct sca_records){record(table, 0), d->stride, d->count}, key,
                                key_words);
}

/* A new record enters the index with the next search. */
uint32_t sca_arena_find(enum sca_part_table table, const uint32_t *key, unsigned key_words)
{
    uint32_t found = sca_arena_known(table, key, key_words);
    if (found != SCA_NONE || !arena.header)
        return found;
    void *fresh = sca_arena_next(table);
    if (!fresh)
        return SCA_NONE;
    memcpy(fresh, key, key_words * sizeof *key);
    return sca_arena_commit(table);
}

static bool is_recent(const struct recent *at, enum sca_part_table table, const uint32_t *key,
                      unsigned words)
{
    bool same = at->index && at->table == table;
    for (unsigned i = 0; i < words; i++)
        same &= at->key[i] == key[i];
    return same;
}

/* Two of a kind in one line: no two that are wanted in turns push each other out. */
static struct recent *recent_pair(const uint32_t *key, unsigned words)
{
    uint32_t hash = 0;
    for (unsigned i = 0; i < words; i++)
        hash = (hash ^ key[i]) * 2654435769u; /* multiplicative, as Knuth's */
    return &recent[2 * (hash >> (32 - PAIRS_BITS))];
}

uint32_t sca_arena_find_again(enum sca_part_table table, const uint32_t *key, unsigned key_words)
{
    struct recent *pair = recent_pair(key, key_words);
    for (int i = 0; i < 2; i++)
        if (is_recent(&pair[i], table, key, key_words))
            return pair[i].index - 1;
    uint32_t index = sca_arena_find(table, key, key_words);
    if (index == SCA_NONE)
        return SCA_NONE;
    pair[1] = pair[0];
    pair[0] = (struct recent){.table = table, .index = index + 1};
    memcpy(pair[0].key, key, key_words * sizeof *key);
    return index;
}

uint32_t sca_arena_commit(enum sca_part_table table)
{
    count_records(table, 1);
    return directory(table)->count - 1;
}

uint32_t sca_arena_bytes(enum sca_part_table table, const void *bytes, uint32_t length)
{
    if (!room(table, length))
        return SCA_NONE;
    uint32_t offset = directory(table)->count;
    memcpy(record(table, offset), bytes, length);
    count_records(table, length);
    return offset;
}

static void start_header(uint32_t rank, uint32_t size)
{
    struct sca_part_header *h = (struct sca_part_header *)map.base;
    h->version = SCA_PART_VERSION;
    h->header_size = sizeof *h;
    h->rank = rank;
    h->size = size;
    h->state = SCA_RUNNING;
    uint64_t end = sca_arena_file_timed(&h->timed, sca_arena_file_layout(h->table));
    sca_arena_file_series(&h->series, end);
    for (int i = 0; i < SCA_TIMED_COUNT; i++)
        arena.durations[i].first = (void *)(map.base + h->timed.of[i].offset);
    for (int i = 0; i < SCA_T_COUNT; i++)
        arena.first[i] = map.base + h->table[i].offset;
    arena.header = h;
}

/* What every other record may refer to. The magic comes last: before it there is no profile. */
static void start_tables(void)
{
    sca_arena_string("");
    struct sca_part_node *root = sca_arena_next(SCA_T_NODES);
    if (root) {
        root->parent = root->module = SCA_NONE;
        sca_arena_commit(SCA_T_NODES);
    }
    uint32_t name = sca_arena_string("MPI_Init");
    struct sca_part_site *start = sca_arena_next(SCA_T_SITES);
    if (start) {
        start->name = name == SCA_NONE ? 0 : name;
        sca_arena_commit(SCA_T_SITES);
    }
    memcpy(arena.header->magic, SCA_PART_MAGIC, sizeof arena.header->magic);
}

static int map_indices(void)
{
    for (int i = 0; i < SCA_T_COUNT; i++) {
        const struct sca_part_directory *d = directory(i);
        if (d->stride > 1 && sca_arena_index_map(&arena.index[i], d->capacity))
            return -1;
    }
    return sca_arena_texts_begin(directory(SCA_T_STRINGS)->capacity);
}

static int start_mapped(uint32_t rank, uint32_t size)
{
    start_header(rank, size);
    if (map_indices())
        return ENOMEM;
    start_tables();
    return sca_arena_count(SCA_T_STRINGS) && sca_arena_count(SCA_T_NODES) &&
                   sca_arena_count(SCA_T_SITES)
               ? 0
               : ENOSPC;
}

/* A disk with room for the header but not for the first records is no place either. */
static int start_in_file(const char *path, uint32_t rank, uint32_t size)
{
    int error = sca_arena_file_map(&map, path, arena.bytes);
    if (!error && (error = start_mapped(rank, size))) {
        sca_arena_file_remove(&map);
        sca_arena_close();
    }
    return error;
}

static uint64_t whole_bytes(void)
{
    struct sca_part_directory layout[SCA_T_COUNT];
    struct sca_part_timed timed;
    struct sca_part_series series;
    uint64_t end = sca_arena_file_timed(&timed, sca_arena_file_layout(layout));
    return sca_arena_file_series(&series, end);
}

int sca_arena_open(const char *path, uint32_t rank, uint32_t size)
{
    if (arena.header)
        return -1;
    arena.bytes = whole_bytes();
    int error = path ? start_in_file(path, rank, size) : ENOENT;
    if (!error)
        return 0;
    arena.bytes = whole_bytes();
    if (sca_arena_file_map_anonymous(&map, arena.bytes))
        return -1;
    if (start_mapped(rank, size)) {
        sca_arena_close();
        return -1;
    }
    arena.error = error;
    return 1;
}

void sca_arena_close(void)
{
    if (!arena.header)
        return;
    for (int i = 0; i < SCA_T_COUNT; i++)
        sca_arena_index_unmap(&arena.index[i]);
    sca_arena_texts_end();
    sca_unreserve(map.base, arena.bytes);
    memset(&arena, 0, sizeof arena);
    memset(&map, 0, sizeof map);
    memset(recent, 0, sizeof recent);
}

int sca_arena_error(void)
{
    return arena.error;
}

struct sca_part_header *sca_arena_header(void)
{
    return arena.header;
}

void *sca_arena_table(enum sca_part_table table)
{
    return arena.first[table];
}

struct sca_part_durations *sca_arena_durations(enum sca_timed timed, uint32_t index)
{
    bool there = index < arena.durations[timed].n;
    return __builtin_expect(there, 1) ? &arena.durations[timed].first[index] : NULL;
}

const struct sca_part_durations *sca_arena_durations_first(enum sca_timed timed, uint32_t *n)
{
    *n = arena.durations[timed].n;
    return arena.durations[timed].first;
}

struct sca_part_mark *sca_arena_series(void)
{
    struct sca_part_series *s = arena.header ? &arena.header->series : NULL;
    if (!s || !s->offset)
        return NULL;
    uint64_t bytes = arena.bytes - s->offset; /* nothing lies behind them */
    if (sca_arena_file_has_room(&map, bytes) && !sca_arena_file_reserve(&map, s->offset, bytes))
        return (struct sca_part_mark *)(void *)(map.base + s->offset);
    *s = (struct sca_part_series){0};
    return NULL;
}

struct sca_part_phase *sca_arena_phases(void)
{
    const struct sca_part_series *s = arena.header ? &arena.header->series : NULL;
    if (!s || !s->offset)
        return NULL;
    uint64_t marks = (uint64_t)s->sources * SCA_SERIES_MARKS * s->stride;
    return (struct sca_part_phase *)(void *)(map.base + s->offset + marks);
}

uint32_t sca_arena_count(enum sca_part_table table)
{
    return arena.header ? __atomic_load_n(&directory(table)->count, __ATOMIC_ACQUIRE) : 0;
}
