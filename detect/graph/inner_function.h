/*
 * Functions that are part of a vertex (contraction.h), and calls from it into code without a graph:
 * no places of their own, but what a reader wants to know beside the place. A tree: each entry
 * is called by its parent, entry 0 stands for the vertex itself.
 */
#ifndef SCA_DETECT_INNER_FUNCTION_H
#define SCA_DETECT_INNER_FUNCTION_H

#include "sca_arena.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_inner {
    uint32_t parent;      /* comes first; entry 0 is its own */
    const char *function; /* as the user wrote it */
    const char *file;     /* where it begins; of code without a graph, where it is called */
    uint32_t line;        /* 0 unknown */
    bool inlined;         /* into its caller, at the sample that was seen first */
    bool foreign;         /* no graph, and not the user's: libm, BLAS, qsort */
    bool unnamed;         /* with it: called by its address, as inside a stripped library */
    uint32_t first_child, next;
};

struct sca_inners { /* zero-initialise; items are from malloc, strings the arena's */
    struct sca_arena *arena;
    struct sca_inner *items;
    size_t capacity;
    uint32_t count;
};

/* The entry like `wanted` below its parent, made if there is none. 0 when out of memory. */
uint32_t sca_inner_function_at(struct sca_inners *inners, const struct sca_inner *wanted);
void sca_inner_function_free(struct sca_inners *inners);

#endif
