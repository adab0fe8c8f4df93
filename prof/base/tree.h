/*
 * The binomial tree along which the library's own messages travel at MPI_Finalize. A rank talks to
 * its parent and its children only: an MPI library keeps buffers for each rank that another one
 * talks to, and nobody has more than log2(ranks) of those here. The ranks below and with a rank r
 * are consecutive and begin with it, so a walk through the tree from parents to children, those in
 * order of their ranks, meets all ranks in order.
 *
 * Pure functions of (rank, size); any thread.
 */
#ifndef SCA_PROF_TREE_H
#define SCA_PROF_TREE_H

#include <stdint.h>

enum { SCA_TREE_CHILDREN = 32 };

/* Not for rank 0. */
static inline uint32_t sca_tree_parent(uint32_t rank)
{
    return rank & (rank - 1);
}

/* How many levels of ranks there may be below. */
static inline unsigned sca_tree_height(uint32_t rank)
{
    return rank ? (unsigned)__builtin_ctz(rank) : SCA_TREE_CHILDREN;
}

/* Rising; returns how many. */
static inline unsigned sca_tree_children(uint32_t rank, uint32_t size,
                                         uint32_t children[SCA_TREE_CHILDREN])
{
    unsigned n = 0;
    while (n < sca_tree_height(rank) && size - rank > 1u << n) {
        children[n] = rank + (1u << n);
        n++;
    }
    return n;
}

#endif
