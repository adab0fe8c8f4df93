/*
 * How an interval between two calls divides at moments in it: how much of the own time lay before
 * each. Pure functions, for any thread and signal handlers. Nanoseconds.
 */
#ifndef SCA_PROF_INTERVAL_SHARE_H
#define SCA_PROF_INTERVAL_SHARE_H

#include <stdint.h>

enum { SCA_INTERVAL_MOMENTS = 16 };

struct sca_interval_parts {
    double computed, off; /* of the computation, of the time off the core, 0 to 1 */
};

/* Before a moment whose CPU time is known, as that of the interval is: cpu_ns > 0. */
struct sca_interval_parts sca_interval_parts(uint64_t part_ns, uint64_t part_cpu_ns,
                                             uint64_t wall_ns, uint64_t cpu_ns);

/* Where only the wall time of the moments is known. The rest of the interval the thread was not on
 * a core, most often in one stall. The thread passes the moments itself, so the stall lies between
 * two of them: where there is room for it, in proportion to the room. If no piece has room for all
 * of it, the longest pieces are taken first.
 * share[i], 0 to 1: the part of `busy_ns` that lay in the first part_ns[i] of `wall_ns`. A later
 * moment has no less. `n` moments, in any order. */
void sca_interval_shares(const uint64_t *part_ns, uint32_t n, uint64_t wall_ns, uint64_t busy_ns,
                         double *share);

#endif
