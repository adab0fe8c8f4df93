#include "base/reserve.h"
#include "base/guard.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 128, PAGE = 4096, HUGE = 2 << 20 };

/* What does not fit here stays as the program locks it. */
static struct area {
    char *memory; /* NULL: free */
    size_t bytes;
    bool shared;
} areas[MOST];
static char taken[MOST];

static void note(void *memory, size_t bytes, bool shared)
{
    unsigned i = 0;
    while (i < MOST && __atomic_test_and_set(&taken[i], __ATOMIC_ACQUIRE))
        i++;
    if (i == MOST)
        return;
    areas[i].bytes = bytes;
    areas[i].shared = shared;
    __atomic_store_n(&areas[i].memory, memory, __ATOMIC_RELEASE);
}

static void forget(const void *memory)
{
    for (unsigned i = 0; i < MOST; i++)
        if (__atomic_load_n(&areas[i].memory, __ATOMIC_ACQUIRE) == memory) {
            __atomic_store_n(&areas[i].memory, NULL, __ATOMIC_RELEASE);
            __atomic_clear(&taken[i], __ATOMIC_RELEASE);
        }
}

/* Where memory to come is locked, it is filled as it is mapped, unless nobody may touch it; what is
 * not locked any more is not filled when somebody may. */
static void *map(size_t bytes, int kind, int fd)
{
    void *memory = mmap(NULL, bytes, PROT_NONE, kind, fd, 0);
    if (memory == MAP_FAILED)
        return MAP_FAILED;
    (void)munlock(memory, bytes);
    if (!mprotect(memory, bytes, PROT_READ | PROT_WRITE))
        return memory;
    int error = errno;
    munmap(memory, bytes);
    errno = error;
    return MAP_FAILED;
}

static void *map_private(size_t bytes)
{
    void *memory = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    return memory == MAP_FAILED ? NULL : memory;
}

void *sca_reserve(size_t bytes)
{
    void *memory = map_private(bytes);
    if (memory)
        note(memory, bytes, false);
    return memory;
}

void *sca_reserve_large(size_t bytes)
{
    char *memory = bytes < HUGE ? NULL : map_private(bytes + HUGE);
    if (!memory)
        return sca_reserve(bytes);
    size_t before = (HUGE - (uintptr_t)memory % HUGE) % HUGE;
    if (before)
        (void)munmap(memory, before);
    (void)munmap(memory + before + bytes, HUGE - before);
    (void)madvise(memory + before, bytes, MADV_HUGEPAGE);
    note(memory + before, bytes, false);
    return memory + before;
}

void *sca_reserve_file(int fd, size_t bytes)
{
    void *memory = map(bytes, MAP_SHARED, fd);
    if (memory != MAP_FAILED)
        note(memory, bytes, true);
    return memory;
}

void sca_unreserve(void *memory, size_t bytes)
{
    if (!memory)
        return;
    forget(memory);
    (void)munmap(memory, bytes);
}

void sca_reserve_anew(void *memory, size_t bytes)
{
    if (memory && madvise(memory, bytes, MADV_DONTNEED))
        memset(memory, 0, bytes); /* locked, by a call that nobody saw */
}

static bool is_empty(const char *page)
{
    const uint64_t *words = (const void *)page;
    uint64_t any = 0;
    for (size_t i = 0; i < PAGE / sizeof *words; i++)
        any |= words[i];
    return !any;
}

/* Who writes here holds the state lock, or can do with zeros (sca_reserve_anew()). */
static void give_back_empty(const struct area *a)
{
    size_t from = 0, at = 0;
    for (; at + PAGE <= a->bytes; at += PAGE) {
        if (is_empty(a->memory + at))
            continue;
        if (at > from)
            (void)madvise(a->memory + from, at - from, MADV_DONTNEED);
        from = at + PAGE;
    }
    if (at > from)
        (void)madvise(a->memory + from, at - from, MADV_DONTNEED);
}

/* A file's bytes are kept by the system. */
static void unlock(const struct area *a)
{
    (void)munlock(a->memory, a->bytes);
    if (a->shared)
        (void)madvise(a->memory, a->bytes, MADV_DONTNEED);
    else
        give_back_empty(a);
}

void sca_reserve_unlock_all(void)
{
    sca_guard_lock();
    for (unsigned i = 0; i < MOST; i++)
        if (__atomic_load_n(&areas[i].memory, __ATOMIC_ACQUIRE))
            unlock(&areas[i]);
    sca_guard_unlock();
}
