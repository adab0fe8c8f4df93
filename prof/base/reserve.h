/*
 * Address space that is reserved once and takes memory page by page, as it is touched: also where
 * the program locks all memory, that is there or to come, by mlockall(). Private to the process.
 * Given back by sca_unreserve() only. Async-signal-safe but for the last function.
 */
#ifndef SCA_PROF_RESERVE_H
#define SCA_PROF_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeros; NULL without address space. */
void *sca_reserve(size_t bytes);
/* The same, for what is seldom looked at in order: of huge pages, where it has some. */
void *sca_reserve_large(size_t bytes);
/* A file's bytes, mapped to be shared, writable. MAP_FAILED, with errno. */
void *sca_reserve_file(int fd, size_t bytes);
void sca_unreserve(void *memory, size_t bytes);
/* Zeros again, and no memory: at once, so that whoever still looks finds the one or the other. */
void sca_reserve_anew(void *memory, size_t bytes);

/* All memory has been locked, and so touched: pages that hold nothing are given back. Takes the
 * state lock. */
void sca_reserve_unlock_all(void);

#endif
