/*
 * Which ranks may be those that a slow core has, in this run or again in another. Ranks that share
 * cores mostly get them by turns, in the order in which they are started, or in blocks: then a slow
 * core is that of every k-th rank, or of some that follow each other.
 */
#ifndef SCA_DETECT_CORE_SETS_H
#define SCA_DETECT_CORE_SETS_H

#include "base/workspace.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the `n` of `nranks` ranks, ascending, are those of one core or of several, at two ranks
 * or more to a core, but for half as many at most that are missing or stand beside. `ncores`: that
 * all ranks have together; with too many for two ranks each, any ranks may be; 0: not known. */
bool sca_core_sets_may_be(struct sca_workspace *space, const uint32_t *ranks, uint32_t n,
                          uint32_t nranks, uint32_t ncores);

/* Whether `n` of `nranks` ranks may be all those of one core or of several, whichever each has: as
 * many as every other, or one more. True if the number of cores is not known. */
bool sca_core_sets_may_be_so_many(uint32_t n, uint32_t nranks, uint32_t ncores);

#endif
