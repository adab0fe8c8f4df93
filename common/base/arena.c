#include "sca_arena.h"
#include "sca_error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sca_arena_chunk {
    struct sca_arena_chunk *next;
    size_t used, size, all; /* all: bytes of the arena when it was added */
    max_align_t data[];
};

enum { CHUNK = 64 * 1024, LARGEST = 4 * 1024 * 1024, PART = 8 };

/* In an arena that has become large, chunks that the system takes back when they are freed. */
static size_t chunk_size(const struct sca_arena *arena)
{
    size_t part = arena->chunks ? arena->chunks->all / PART : 0;
    return part < CHUNK ? CHUNK : part < LARGEST ? part : LARGEST;
}

static void *out_of_memory(void)
{
    sca_fail(SCA_ENOMEM, "out of memory");
    return NULL;
}

static struct sca_arena_chunk *add_chunk(struct sca_arena *arena, size_t bytes)
{
    size_t usual = chunk_size(arena);
    bool aside = arena->chunks && bytes > usual / 4; /* the current one goes on being filled */
    size_t size = aside || bytes > usual ? bytes : usual;
    struct sca_arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return out_of_memory();
    chunk->size = size;
    if (aside) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
        arena->chunks->all += size;
    } else {
        chunk->all = size + (arena->chunks ? arena->chunks->all : 0);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *sca_arena_alloc(struct sca_arena *arena, size_t count, size_t size)
{
    size_t bytes, align = _Alignof(max_align_t);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - LARGEST)
        return out_of_memory();
    bytes = (bytes + align - 1) / align * align;
    struct sca_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < bytes)
        chunk = add_chunk(arena, bytes);
    if (!chunk)
        return NULL;
    void *block = (char *)chunk->data + chunk->used;
    chunk->used += bytes;
    return block;
}

char *sca_arena_string(struct sca_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = sca_arena_alloc(arena, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *sca_arena_format(struct sca_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : sca_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void sca_arena_free(struct sca_arena *arena)
{
    struct sca_arena_chunk *next;
    for (struct sca_arena_chunk *chunk = arena->chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    arena->chunks = NULL;
}

int sca_arena_grow(void *array, size_t size, size_t used, size_t *capacity)
{
    if (used < *capacity)
        return SCA_OK;
    size_t wanted = *capacity ? *capacity * 2 : 16, bytes;
    void *old, *larger = NULL;
    memcpy(&old, array, sizeof old); /* the caller's T *, whatever T is */
    if (!__builtin_mul_overflow(wanted, size, &bytes))
        larger = realloc(old, bytes);
    if (!larger)
        return sca_fail(SCA_ENOMEM, "out of memory");
    memcpy(array, &larger, sizeof larger);
    *capacity = wanted;
    return SCA_OK;
}
