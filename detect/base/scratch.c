#include "base/scratch.h"
#include "base/sort.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *sca_room_alloc(struct sca_room *room, size_t count, size_t size)
{
    void *block = sca_arena_alloc(&room->arena, count ? count : 1, size);
    if (!block)
        longjmp(*room->out_of_memory, 1);
    return block;
}

enum { WORTH_LARGE_PAGES = 4 << 20 };

void *sca_room_alloc_dense(struct sca_room *room, size_t count, size_t size)
{
    char *block = sca_room_alloc(room, count, size);
#ifdef MADV_HUGEPAGE
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = -(uintptr_t)block % page;
    if (count * size >= WORTH_LARGE_PAGES)
        madvise(block + before, (count * size - before) / page * page, MADV_HUGEPAGE);
#endif
    return block;
}

void *sca_room_grow(struct sca_room *room, const void *old, size_t old_count, size_t new_count,
                    size_t size)
{
    void *fresh = sca_room_alloc(room, new_count, size);
    if (old_count)
        memcpy(fresh, old, old_count * size);
    return fresh;
}

void sca_room_put_in_order(struct sca_room *room, void *list, size_t count, size_t size,
                           int (*compare)(const void *, const void *))
{
    if (sca_put_in_order(list, count, size, compare))
        longjmp(*room->out_of_memory, 1);
}

struct sca_opened *sca_room_opened(struct sca_room *room, const struct sca_profile *profile)
{
    return sca_opened_init(sca_room_alloc(room, 1, sca_opened_size(profile)), profile);
}

void sca_room_free(struct sca_room *room)
{
    sca_arena_free(&room->arena);
}
