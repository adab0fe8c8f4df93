/*
 * Finds elements of an array by their content: hash -> index, open addressing with linear probing
 * (Knuth, TAOCP vol. 3, 6.4). Made for millions of small elements: eight bytes and a quarter each.
 *
 * Zero-initialise; sca_index_map_free() releases it. The caller compares contents.
 */
#ifndef STRUCTURE_INDEX_MAP_H
#define STRUCTURE_INDEX_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCA_NO_INDEX UINT32_MAX

struct sca_index_slot {
    uint32_t hash, index; /* SCA_NO_INDEX: empty */
};

struct sca_index_map {
    struct sca_index_slot *slots;
    size_t size, used; /* size: a power of two */
};

/* The hash of some bytes (FNV-1a, by words of eight bytes). */
uint64_t sca_index_map_hash(const void *bytes, size_t length);
/* The index for which same(context, index) holds, SCA_NO_INDEX if there is none. */
uint32_t sca_index_map_find(const struct sca_index_map *map, uint64_t hash,
                            bool (*same)(const void *context, uint32_t index), const void *context);
/* Adds one that is not there. SCA_ENOMEM. */
int sca_index_map_add(struct sca_index_map *map, uint64_t hash, uint32_t index);
void sca_index_map_free(struct sca_index_map *map);

#endif
