/*
 * How an interval between two calls divides at a moment in it: how much of the own time lay before.
 * Only the wall time of the moment is known. The rest of the interval the thread was not on a core,
 * most often in one piece: it lies on the side that has room for it, or is spread over both.
 *
 * A pure function, for any thread and signal handlers.
 */
#ifndef SCA_PROF_INTERVAL_SHARE_H
#define SCA_PROF_INTERVAL_SHARE_H

#include <stdint.h>

/* The part, 0 to 1, of `busy_ns` that lay in the first `part_ns` of `wall_ns`. */
static inline double sca_interval_share(uint64_t part_ns, uint64_t wall_ns, uint64_t busy_ns)
{
    if (part_ns >= wall_ns || !busy_ns)
        return 1;
    double part = (double)part_ns, wall = (double)wall_ns, busy = (double)busy_ns;
    double stall = wall > busy ? wall - busy : 0;
    double before = stall > part ? part : stall > wall - part ? part - stall : part * busy / wall;
    return before < busy ? before / busy : 1;
}

#endif
