#include "base/pool.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/reserve.h"
#include <stdint.h>
#include <string.h>

enum { REGION = 32 << 20, SMALLEST = 5, CLASSES = 21 };

struct block {
    struct block *next;
};

static struct block *free_lists[CLASSES] SCA_HOT_TABLE;
static char *region SCA_HOT;
static size_t used SCA_HOT;

static unsigned class_of(size_t bytes)
{
    unsigned class = SMALLEST;
    while (((size_t)1 << class) < bytes)
        class ++;
    return class - SMALLEST;
}

static int map_region(void)
{
    void *at = sca_reserve(REGION);
    if (!at)
        return -1;
    region = at;
    return 0;
}

static void *fresh(size_t bytes)
{
    if ((!region && map_region() < 0) || bytes > REGION - used)
        return NULL;
    void *at = region + used;
    used += bytes;
    return at;
}

void *sca_pool_alloc(size_t bytes)
{
    unsigned class = class_of(bytes);
    if (class >= CLASSES)
        return NULL;
    sca_guard_lock();
    struct block *at = free_lists[class];
    if (at)
        free_lists[class] = at->next;
    else
        at = fresh((size_t)1 << (class + SMALLEST));
    sca_guard_unlock();
    return at ? memset(at, 0, bytes) : NULL;
}

void sca_pool_free(void *block, size_t bytes)
{
    struct block *at = block;
    if (!at)
        return;
    unsigned class = class_of(bytes);
    sca_guard_lock();
    at->next = free_lists[class];
    free_lists[class] = at;
    sca_guard_unlock();
}
