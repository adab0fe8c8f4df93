#include "base/workspace.h"
#include "base/sort.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *sca_workspace_alloc(struct sca_workspace *space, size_t count, size_t size)
{
    void *block = sca_arena_alloc(&space->arena, count ? count : 1, size);
    if (!block)
        longjmp(*space->out_of_memory, 1);
    return block;
}

enum { WORTH_LARGE_PAGES = 4 << 20 };

void *sca_workspace_alloc_dense(struct sca_workspace *space, size_t count, size_t size)
{
    char *block = sca_workspace_alloc(space, count, size);
#ifdef MADV_HUGEPAGE
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = -(uintptr_t)block % page;
    if (count * size >= WORTH_LARGE_PAGES)
        madvise(block + before, (count * size - before) / page * page, MADV_HUGEPAGE);
#endif
    return block;
}

void *sca_workspace_grow(struct sca_workspace *space, const void *old, size_t old_count,
                         size_t new_count, size_t size)
{
    void *fresh = sca_workspace_alloc(space, new_count, size);
    if (old_count)
        memcpy(fresh, old, old_count * size);
    return fresh;
}

void sca_workspace_put_in_order(struct sca_workspace *space, void *list, size_t count, size_t size,
                                int (*compare)(const void *, const void *))
{
    if (sca_sort_in_order(list, count, size, compare))
        longjmp(*space->out_of_memory, 1);
}

struct sca_opened *sca_workspace_opened(struct sca_workspace *space,
                                        const struct sca_profile *profile)
{
    return sca_rank_open_init(sca_workspace_alloc(space, 1, sca_rank_open_size(profile)), profile);
}

void sca_workspace_free(struct sca_workspace *space)
{
    sca_arena_free(&space->arena);
}
