/*
 * How far the clocks of other hosts are from rank 0's. Measured by round trips: of several, the
 * shortest bounds the error by half its length (F. Cristian, Probabilistic clock synchronization,
 * Distributed Computing 3, 1989). One rank per clock takes part, its lowest. Nothing waits without
 * a limit; what could not be measured is said to be unknown.
 *
 * Collective between rank 0 and the leaders of clocks, inside Init and Finalize; allocates nothing.
 */
#ifndef SCA_PROF_OFFSETS_H
#define SCA_PROF_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#define SCA_OFFSET_UNKNOWN UINT64_MAX

struct sca_offset {
    int64_t ns;     /* to be added to that clock to get rank 0's */
    uint64_t error; /* at most, ns; SCA_OFFSET_UNKNOWN: not measured */
};

/* On rank 0: the offsets of `count` leaders (rank 0's own first, which is 0). Those whose offset is
 * unknown already stay so, when `again`. */
void sca_offsets_measure(const uint32_t *leaders, uint32_t count, struct sca_offset *offsets,
                         bool again);
/* On a leader other than rank 0: answers until rank 0 has what it wants, or went on. */
void sca_offsets_answer(void);

/* The offset that one round trip shows: sent and returned by our clock, answered by the other. */
struct sca_offset sca_offsets_of_round_trip(uint64_t sent, uint64_t answered, uint64_t returned);

#endif
