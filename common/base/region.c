#include "base/region.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 << 10 };

struct sca_region_block {
    struct sca_region_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

/* A large block has one owner, and fresh pages are zero; a usual one is zeroed as it is handed out:
 * most of it may never be. */
static struct sca_region_block *new_block(size_t size)
{
    struct sca_region_block *block =
        size > BLOCK ? calloc(1, sizeof *block + size) : malloc(sizeof *block + size);
    if (block)
        *block = (struct sca_region_block){.size = size};
    return block;
}

static struct sca_region_block *add_block(struct sca_region *region, size_t size)
{
    struct sca_region_block *block = new_block(size);
    if (!block)
        return NULL;
    /* A large one goes behind the current block, which still has room. */
    struct sca_region_block **place = &region->blocks;
    if (size > BLOCK && region->blocks)
        place = &region->blocks->next;
    block->next = *place;
    *place = block;
    return block;
}

void *sca_region_alloc(struct sca_region *region, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct sca_region_block *block = region->blocks;
    if (size > BLOCK || !block || block->size - block->used < size)
        block = add_block(region, size > BLOCK ? size : BLOCK);
    if (!block)
        return NULL;
    void *memory = block->bytes + block->used;
    block->used += size;
    return block->size > BLOCK ? memory : memset(memory, 0, size);
}

void *sca_region_array(struct sca_region *region, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return sca_region_alloc(region, count * size);
}

char *sca_region_text(struct sca_region *region, const char *text, size_t length)
{
    char *copy = sca_region_alloc(region, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void sca_region_free(struct sca_region *region)
{
    while (region->blocks) {
        struct sca_region_block *next = region->blocks->next;
        free(region->blocks);
        region->blocks = next;
    }
}

void sca_region_clear(struct sca_region *region)
{
    struct sca_region_block *kept = NULL;
    while (region->blocks) {
        struct sca_region_block *next = region->blocks->next;
        if (!kept && region->blocks->size == BLOCK)
            kept = region->blocks;
        else
            free(region->blocks);
        region->blocks = next;
    }
    if (kept)
        *kept = (struct sca_region_block){.size = BLOCK};
    region->blocks = kept;
}
