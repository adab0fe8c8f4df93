/*
 * Memory that is given back all at once: a chain of blocks. Zeroed, aligned for anything.
 * For the tools, never for the runtime. One thread.
 */
#ifndef SCA_POOL_H
#define SCA_POOL_H

#include <stddef.h>

struct sca_pool {
    struct sca_pool_block *blocks;
};

void *sca_pool_alloc(struct sca_pool *pool, size_t size);               /* NULL: out of memory */
void *sca_pool_array(struct sca_pool *pool, size_t count, size_t size); /* and no overflow */
char *sca_pool_text(struct sca_pool *pool, const char *text, size_t length);
void sca_pool_free(struct sca_pool *pool); /* usable again afterwards */

#endif
