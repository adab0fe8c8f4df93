#include "base/pool.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/reserve.h"

#include <stdint.h>
#include <string.h>

enum { GRAIN = 32, SMALL = 1024, CLASSES = SMALL / GRAIN + 7 /* up to LARGEST */ };
enum { LARGEST = 128 << 10, FIRST_CHUNK = 256 << 10, LAST_CHUNK = 16 << 20 };
static const size_t MOST = (size_t)512 << 20;

struct block {
    struct block *next;
};

static struct block *free_lists[CLASSES] SCA_HOT_TABLE;
static char *chunk SCA_HOT;
static size_t left SCA_HOT; /* of the chunk */
static size_t mapped;       /* in all */

/* Multiples of the grain, then powers of two. */
static unsigned class_of(size_t bytes)
{
    if (bytes <= SMALL)
        return bytes ? (unsigned)((bytes - 1) / GRAIN) : 0;
    return SMALL / GRAIN + 53 - (unsigned)__builtin_clzl(bytes - 1);
}

static size_t size_of(unsigned class)
{
    return class < SMALL / GRAIN ? (class + 1) * (size_t)GRAIN
                                 : (size_t)SMALL << (class - SMALL / GRAIN + 1);
}

static void *map(size_t bytes)
{
    void *memory = bytes <= MOST - mapped ? sca_reserve_large(bytes) : NULL;
    if (memory)
        mapped += bytes;
    return memory;
}

/* As large as all before it: what is left of that one, which was too little, is lost. */
static SCA_COLD bool next_chunk(void)
{
    size_t bytes = mapped < FIRST_CHUNK ? FIRST_CHUNK : mapped > LAST_CHUNK ? LAST_CHUNK : mapped;
    void *fresh = map(bytes & ~(size_t)4095);
    if (!fresh)
        return false;
    chunk = fresh;
    left = bytes & ~(size_t)4095;
    return true;
}

static void *fresh(size_t bytes)
{
    if (bytes > left && !next_chunk())
        return NULL;
    void *at = chunk;
    chunk += bytes;
    left -= bytes;
    return at;
}

static SCA_COLD void *map_alone(size_t bytes)
{
    sca_guard_lock();
    void *at = bytes <= MOST ? map(bytes) : NULL;
    sca_guard_unlock();
    return at;
}

static SCA_COLD void unmap(void *block, size_t bytes)
{
    sca_guard_lock();
    sca_unreserve(block, bytes);
    mapped -= bytes;
    sca_guard_unlock();
}

void *sca_pool_take(size_t bytes)
{
    if (bytes > LARGEST)
        return map_alone(bytes);
    unsigned class = class_of(bytes);
    sca_guard_lock();
    struct block *at = free_lists[class];
    if (at) {
        free_lists[class] = at->next;
        __builtin_prefetch(at->next, 1); /* the next one to ask for */
        __builtin_prefetch((const char *)at->next + 64, 1);
    } else {
        at = fresh(size_of(class));
    }
    sca_guard_unlock();
    return at;
}

void sca_pool_free(void *block, size_t bytes)
{
    struct block *at = block;
    if (!at)
        return;
    if (bytes > LARGEST) {
        unmap(block, bytes);
        return;
    }
    unsigned class = class_of(bytes);
    sca_guard_lock();
    at->next = free_lists[class];
    free_lists[class] = at;
    sca_guard_unlock();
}
