#include "pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 << 10 };

struct sca_pool_block {
    struct sca_pool_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

static struct sca_pool_block *add_block(struct sca_pool *pool, size_t size)
{
    struct sca_pool_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    /* A large one goes behind the current block, which still has room. */
    struct sca_pool_block **place = &pool->blocks;
    if (size > BLOCK && pool->blocks)
        place = &pool->blocks->next;
    block->next = *place;
    *place = block;
    return block;
}

void *sca_pool_alloc(struct sca_pool *pool, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct sca_pool_block *block = pool->blocks;
    if (size > BLOCK || !block || block->size - block->used < size)
        block = add_block(pool, size > BLOCK ? size : BLOCK);
    if (!block)
        return NULL;
    void *memory = block->bytes + block->used;
    block->used += size;
    return memory;
}

void *sca_pool_array(struct sca_pool *pool, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return sca_pool_alloc(pool, count * size);
}

char *sca_pool_text(struct sca_pool *pool, const char *text, size_t length)
{
    char *copy = sca_pool_alloc(pool, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void sca_pool_free(struct sca_pool *pool)
{
    while (pool->blocks) {
        struct sca_pool_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
}
