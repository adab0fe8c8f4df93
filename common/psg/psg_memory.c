#include "psg/psg_memory.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1 /* what does not fit is kept twice */
#include <uthash.h>

enum { CHUNK = 64 * 1024 };

struct psg_chunk {
    struct psg_chunk *next;
    size_t used, size;
    _Alignas(16) uint8_t data[];
};

struct known { /* what was pushed, by key or hash */
    uint64_t hash;
    const char *text; /* of a text */
    UT_hash_handle hh;
};

struct psg_memory {
    struct psg_chunk *chunks;
    struct known *known_functions, *known_texts;
    size_t functions, units, aliases; /* capacities */
};

static struct psg_memory *memory_of(struct sca_psg *psg)
{
    if (!psg->memory)
        psg->memory = calloc(1, sizeof(struct psg_memory));
    if (!psg->memory)
        sca_fail(SCA_ENOMEM, "out of memory for the graph");
    return psg->memory;
}

void *sca_psg_memory_alloc(struct sca_psg *psg, size_t size)
{
    struct psg_memory *m = memory_of(psg);
    if (!m)
        return NULL;
    size = (size + 15) & ~(size_t)15;
    if (!m->chunks || m->chunks->size - m->chunks->used < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        struct psg_chunk *fresh = calloc(1, sizeof *fresh + room);
        if (!fresh) {
            sca_fail(SCA_ENOMEM, "out of memory for the graph");
            return NULL;
        }
        *fresh = (struct psg_chunk){.next = m->chunks, .size = room};
        m->chunks = fresh;
    }
    void *result = m->chunks->data + m->chunks->used;
    m->chunks->used += size;
    return result;
}

/* Makes room for one more element; arrays double. */
static int reserve(void **array, size_t *capacity, size_t count, size_t each)
{
    if (count < *capacity)
        return SCA_OK;
    size_t more = *capacity ? *capacity * 2 : 16;
    void *grown = realloc(*array, more * each);
    if (!grown)
        return sca_fail(SCA_ENOMEM, "out of memory for the graph");
    *array = grown;
    *capacity = more;
    return SCA_OK;
}

/* One push per table: the same few lines, typed. */
#define PUSH(array, count, capacity, value)                                                        \
    do {                                                                                           \
        struct psg_memory *m = memory_of(psg);                                                     \
        void *grown = m ? (void *)(array) : NULL;                                                  \
        if (!m || reserve(&grown, &m->capacity, count, sizeof *(array)))                           \
            return SCA_ENOMEM;                                                                     \
        (array) = grown;                                                                           \
        (array)[(count)++] = (value);                                                              \
        return SCA_OK;                                                                             \
    } while (0)

static const struct known *find(const struct known *set, uint64_t hash)
{
    struct known *found;
    HASH_FIND(hh, set, &hash, sizeof hash, found);
    return found;
}

static void remember(struct sca_psg *psg, struct known **set, uint64_t hash, const char *text)
{
    struct known *entry = sca_psg_memory_alloc(psg, sizeof *entry);
    if (!entry)
        return;
    entry->hash = hash;
    entry->text = text;
    HASH_ADD(hh, *set, hash, sizeof hash, entry);
}

bool sca_psg_memory_knows_function(const struct sca_psg *psg, uint64_t key)
{
    const struct psg_memory *m = psg->memory;
    return m && find(m->known_functions, key);
}

const char *sca_psg_memory_text(struct sca_psg *psg, const void *bytes, size_t length)
{
    struct psg_memory *m = memory_of(psg);
    uint64_t hash = sca_psg_hash(SCA_PSG_HASH_SEED, bytes, length);
    const struct known *known = m ? find(m->known_texts, hash) : NULL;
    if (known)
        return known->text;
    char *copy = m ? sca_psg_memory_alloc(psg, length + 1) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, bytes, length);
    remember(psg, &m->known_texts, hash, copy);
    return copy;
}

int sca_psg_memory_push_function(struct sca_psg *psg, const struct sca_function *function)
{
    struct psg_memory *all = memory_of(psg);
    if (all)
        remember(psg, &all->known_functions, function->key, NULL);
    PUSH(psg->functions, psg->nfunctions, functions, *function);
}

int sca_psg_memory_push_unit(struct sca_psg *psg, const struct sca_unit *unit)
{
    PUSH(psg->units, psg->nunits, units, *unit);
}

int sca_psg_memory_push_alias(struct sca_psg *psg, const struct sca_alias *alias)
{
    PUSH(psg->aliases, psg->naliases, aliases, *alias);
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_key(const void *a, const void *b)
{
    return compare(((const struct sca_function *)a)->key, ((const struct sca_function *)b)->key);
}

static int by_hash(const void *a, const void *b)
{
    return compare(((const struct sca_unit *)a)->hash, ((const struct sca_unit *)b)->hash);
}

static int by_linkage(const void *a, const void *b)
{
    return strcmp(((const struct sca_alias *)a)->linkage, ((const struct sca_alias *)b)->linkage);
}

/* Sorts, then keeps the first of equals; the new count. */
static uint32_t settle(void *array, uint32_t count, size_t each,
                       int (*order)(const void *, const void *))
{
    uint8_t *at = array;
    uint32_t kept = 0;
    if (!count)
        return 0;
    qsort(array, count, each, order);
    for (uint32_t i = 0; i < count; i++) {
        if (kept && !order(at + (kept - 1) * each, at + i * each))
            continue;
        memmove(at + kept++ * each, at + i * each, each);
    }
    return kept;
}

int sca_psg_memory_settle(struct sca_psg *psg)
{
    struct psg_memory *m = memory_of(psg);
    if (!m)
        return SCA_ENOMEM;
    psg->nfunctions = settle(psg->functions, psg->nfunctions, sizeof *psg->functions, by_key);
    psg->nunits = settle(psg->units, psg->nunits, sizeof *psg->units, by_hash);
    psg->naliases = settle(psg->aliases, psg->naliases, sizeof *psg->aliases, by_linkage);
    return SCA_OK;
}

void sca_psg_free(struct sca_psg *psg)
{
    struct psg_memory *m = psg->memory;
    if (m)
        HASH_CLEAR(hh, m->known_functions);
    if (m)
        HASH_CLEAR(hh, m->known_texts);
    while (m && m->chunks) {
        struct psg_chunk *next = m->chunks->next;
        free(m->chunks);
        m->chunks = next;
    }
    free(m);
    free(psg->functions);
    free(psg->units);
    free(psg->aliases);
    *psg = (struct sca_psg){0};
}

const struct sca_unit *sca_psg_unit(const struct sca_psg *psg, uint64_t hash)
{
    struct sca_unit key = {.hash = hash};
    return psg->nunits ? bsearch(&key, psg->units, psg->nunits, sizeof key, by_hash) : NULL;
}

int sca_psg_find(const struct sca_psg *psg, const struct sca_unit *unit, uint32_t id,
                 uint32_t *function, uint32_t *vertex)
{
    uint32_t low = 0, high = unit->nentries;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (unit->entries[middle].first_id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    struct sca_function key = {.key = low ? unit->entries[low - 1].key : 0}, *found = NULL;
    if (low && psg->nfunctions)
        found = bsearch(&key, psg->functions, psg->nfunctions, sizeof key, by_key);
    if (!found || id - unit->entries[low - 1].first_id >= found->nvertices)
        return sca_fail(SCA_ENOTFOUND, "%s has no vertex with id %u", unit->source, id);
    *function = (uint32_t)(found - psg->functions);
    *vertex = id - unit->entries[low - 1].first_id;
    return SCA_OK;
}

uint32_t sca_psg_max_loop_depth(const struct sca_psg *psg)
{
    uint32_t depth = psg->nunits ? 0 : SCA_PSG_DEFAULT_DEPTH;
    for (uint32_t i = 0; i < psg->nunits; i++)
        if (psg->units[i].max_loop_depth > depth)
            depth = psg->units[i].max_loop_depth;
    return depth;
}

const char *sca_psg_kind_name(enum sca_vertex_kind kind)
{
    static const char *const names[] = {"root", "loop", "branch", "call", "mpi", "comp"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
