#include "base/index_map.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 1024 };

uint64_t sca_index_map_hash(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint64_t hash = 0xcbf29ce484222325u, word;
    for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (; length; at++, length--)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static void put(struct sca_index_slot *slots, size_t size, struct sca_index_slot slot)
{
    size_t at = slot.hash & (size - 1);
    while (slots[at].index != SCA_NO_INDEX)
        at = (at + 1) & (size - 1);
    slots[at] = slot;
}

static int grow(struct sca_index_map *map)
{
    size_t size = map->size ? 2 * map->size : SMALLEST;
    struct sca_index_slot *slots = size > UINT32_MAX ? NULL : malloc(size * sizeof *slots);
    if (!slots)
        return sca_fail(SCA_ENOMEM, "out of memory for a binary's structure");
    memset(slots, 0xff, size * sizeof *slots); /* all empty */
    for (size_t i = 0; i < map->size; i++)
        if (map->slots[i].index != SCA_NO_INDEX)
            put(slots, size, map->slots[i]);
    free(map->slots);
    map->slots = slots;
    map->size = size;
    return SCA_OK;
}

uint32_t sca_index_map_find(const struct sca_index_map *map, uint64_t hash,
                            bool (*same)(const void *context, uint32_t index), const void *context)
{
    for (size_t at = (uint32_t)hash & (map->size - 1); map->size; at = (at + 1) & (map->size - 1)) {
        struct sca_index_slot slot = map->slots[at];
        if (slot.index == SCA_NO_INDEX)
            break;
        if (slot.hash == (uint32_t)hash && same(context, slot.index))
            return slot.index;
    }
    return SCA_NO_INDEX;
}

int sca_index_map_add(struct sca_index_map *map, uint64_t hash, uint32_t index)
{
    if (map->used + map->used / 4 >= map->size && grow(map))
        return SCA_ENOMEM;
    put(map->slots, map->size, (struct sca_index_slot){(uint32_t)hash, index});
    map->used++;
    return SCA_OK;
}

void sca_index_map_free(struct sca_index_map *map)
{
    free(map->slots);
    *map = (struct sca_index_map){0};
}
