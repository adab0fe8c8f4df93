/*
 * Structures by build-id in the user's cache (sca_cache_folder.h), at most SCA_CACHE_MOST bytes:
 * those used longest ago go first.
 *
 * Safe beside other processes: files appear whole or not at all, and any may be removed at any
 * time. Nothing here fails: a cache that cannot be used costs time.
 */
#ifndef STRUCTURE_CACHE_H
#define STRUCTURE_CACHE_H

#include "sca_structure.h"

#include <stdbool.h>

#define SCA_CACHE_MOST (256ull << 20)

/* False: not there. `key`: letters, digits, '-'. */
bool sca_structure_cache_get(const char *key, struct sca_structure *out);
void sca_structure_cache_put(const char *key, const struct sca_structure *structure);

#endif
