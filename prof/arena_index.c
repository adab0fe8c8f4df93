/* Hash slots of the arena's index. Keys live in the records; a slot holds only a record number. */
#include "arena.h"

#include <sys/mman.h>

enum { FIRST_SLOTS = 256 };

int sca_index_map(struct sca_index *index, uint32_t capacity)
{
    uint32_t limit = FIRST_SLOTS;
    while (limit < 2 * (uint64_t)capacity)
        limit *= 2;
    void *slots = mmap(NULL, (size_t)limit * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED)
        return -1;
    *index = (struct sca_index){.slots = slots, .mask = FIRST_SLOTS - 1, .limit = limit};
    return 0;
}

void sca_index_unmap(struct sca_index *index)
{
    if (index->slots)
        munmap(index->slots, (size_t)index->limit * sizeof(uint32_t));
    *index = (struct sca_index){0};
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

uint32_t sca_hash_words(const uint32_t *words, unsigned n)
{
    uint32_t hash = 0x2545f491u;
    for (unsigned i = 0; i < n; i++)
        hash = mix(hash, words[i]);
    return mix(hash, n);
}

uint32_t sca_hash_text(const char *text)
{
    uint32_t hash = 0x2545f491u;
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}
