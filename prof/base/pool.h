/*
 * Memory for what the run needs while it lasts and never writes out: communicators, channels,
 * requests. One mapped region of bounded size, blocks of powers of two, free lists. The region
 * stays until the process ends. Takes the state lock; any thread, not for handlers.
 */
#ifndef SCA_PROF_POOL_H
#define SCA_PROF_POOL_H

#include <stddef.h>
#include <string.h>

/* NULL when the region is used up. */
void *sca_pool_take(size_t bytes);
/* Zeroed: inline, since most sizes are constants. */
static inline void *sca_pool_alloc(size_t bytes)
{
    void *at = sca_pool_take(bytes);
    return __builtin_expect(at != NULL, 1) ? memset(at, 0, bytes) : NULL;
}
void sca_pool_free(void *block, size_t bytes); /* the size it was asked for; NULL is allowed */

#endif
