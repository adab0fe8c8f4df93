/*
 * Memory that is given back all at once: a chain of blocks. Zeroed, aligned for anything.
 * For the tools, never for the runtime. One thread.
 */
#ifndef SCA_REGION_H
#define SCA_REGION_H

#include <stddef.h>

struct sca_region {
    struct sca_region_block *blocks;
};

void *sca_region_alloc(struct sca_region *region, size_t size); /* NULL: out of memory */
void *sca_region_array(struct sca_region *region, size_t count, size_t size); /* and no overflow */
char *sca_region_text(struct sca_region *region, const char *text, size_t length);
void sca_region_free(struct sca_region *region); /* usable again afterwards */
void sca_region_clear(
    struct sca_region *region); /* the same, but keeps a block for what comes next */

#endif
