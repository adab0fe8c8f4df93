/*
 * An arena that cannot fail: running out of memory jumps to `out_of_memory`, which the analysis
 * sets at its one entry (verdict.c), so that the steps between need no checks.
 */
#ifndef SCA_DETECT_WORKSPACE_H
#define SCA_DETECT_WORKSPACE_H

#include "sca_arena.h"
#include "sca_profile.h"
#include <setjmp.h>

struct sca_workspace {
    struct sca_arena arena;
    jmp_buf *out_of_memory;
};

/* count * size zeroed bytes, never NULL; a count of 0 gives a valid pointer too. */
void *sca_workspace_alloc(struct sca_workspace *space, size_t count, size_t size);
/* The same for arrays that will be filled: large ones take large pages where the system has them.
 */
void *sca_workspace_alloc_dense(struct sca_workspace *space, size_t count, size_t size);
/* A copy of old_count elements in workspace for new_count. The old block stays until the end. */
void *sca_workspace_grow(struct sca_workspace *space, const void *old, size_t old_count,
                         size_t new_count, size_t size);
/* sca_sort_in_order(), which keeps the order of equals. */
void sca_workspace_put_in_order(struct sca_workspace *space, void *list, size_t count, size_t size,
                                int (*compare)(const void *, const void *));
/* Where ranks of a profile are opened, for as long as the workspace stands. */
struct sca_opened *sca_workspace_opened(struct sca_workspace *space,
                                        const struct sca_profile *profile);
void sca_workspace_free(struct sca_workspace *space);

#endif
