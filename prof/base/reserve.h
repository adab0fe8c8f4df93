/*
 * Address space that is reserved once and takes memory page by page, as it is touched. Private to
 * the process; never given back but by sca_reserve_anew(). Async-signal-safe.
 */
#ifndef SCA_PROF_RESERVE_H
#define SCA_PROF_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { SCA_RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

/* Zeros; NULL without address space. */
static inline void *sca_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, SCA_RESERVED, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The same, for what is seldom looked at in order: of huge pages, where it has some. Given back by
 * munmap(). */
static inline void *sca_reserve_large(size_t bytes)
{
    const size_t huge = (size_t)2 << 20;
    if (bytes < huge)
        return sca_reserve(bytes);
    char *memory = sca_reserve(bytes + huge);
    if (!memory)
        return sca_reserve(bytes);
    size_t before = (huge - (uintptr_t)memory % huge) % huge;
    if (before)
        (void)munmap(memory, before);
    (void)munmap(memory + before + bytes, huge - before);
    (void)madvise(memory + before, bytes, MADV_HUGEPAGE);
    return memory + before;
}

/* Zeros again, and no memory: at once, so that whoever still looks finds the one or the other. */
static inline void sca_reserve_anew(void *memory, size_t bytes)
{
    if (memory)
        (void)mmap(memory, bytes, PROT_READ | PROT_WRITE, SCA_RESERVED | MAP_FIXED, -1, 0);
}

#endif
