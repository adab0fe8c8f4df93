/*
 * Whether the resident memory of a loop's ranks grows from iteration to iteration, as with a leak:
 * along a line (trend.h), to 1.25 times or more. Of the rank that has most at each point.
 *
 * A pure function over a workspace.
 */
#ifndef SCA_DETECT_MEMORY_GROWTH_H
#define SCA_DETECT_MEMORY_GROWTH_H

#include "base/workspace.h"
#include "sca_series.h"

#include <stdbool.h>

struct sca_memory_growth {
    bool is_real;
    uint64_t first, last; /* iterations */
    double begin, end;    /* bytes */
    double per_iteration; /* bytes */
    double beyond;        /* bytes, after as many iterations again, as in the second half */
};

/* Points of one section. */
struct sca_memory_growth sca_memory_growth_of(struct sca_workspace *space,
                                              const struct sca_series_point *points, uint32_t n);

#endif
