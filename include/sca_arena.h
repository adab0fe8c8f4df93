/*
 * Memory that is given back all at once: what one analysis builds lives in one arena.
 *
 * Zero-initialise a struct sca_arena; sca_arena_free() releases everything taken from it. Blocks
 * are zeroed and aligned for any type. NULL, with the message set, only when out of memory.
 */
#ifndef SCA_ARENA_H
#define SCA_ARENA_H

#include <stddef.h>

struct sca_arena {
    struct sca_arena_chunk *chunks;
};

void *sca_arena_alloc(struct sca_arena *arena, size_t count, size_t size);
char *sca_arena_string(struct sca_arena *arena, const char *text);
char *sca_arena_format(struct sca_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sca_arena_free(struct sca_arena *arena);

/* Makes room for one more element of an array from malloc: doubles *capacity. SCA_ENOMEM. */
int sca_arena_grow(void *array, size_t size, size_t used, size_t *capacity);

#endif
