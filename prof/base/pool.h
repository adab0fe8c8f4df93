/*
 * Memory for what the run needs while it lasts and never writes out: communicators, channels,
 * requests. One mapped region of bounded size, blocks of powers of two, free lists. The region
 * stays until the process ends. Takes the state lock; any thread, not for handlers.
 */
#ifndef SCA_PROF_POOL_H
#define SCA_PROF_POOL_H

#include <stddef.h>

/* Zeroed, or NULL when the region is used up. */
void *sca_pool_alloc(size_t bytes);
void sca_pool_free(void *block, size_t bytes); /* the size it was asked for; NULL is allowed */

#endif
