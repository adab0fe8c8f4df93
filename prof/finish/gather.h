/*
 * At MPI_Finalize: the ranks find out whether all are there, and hear what became of the profile.
 * By messages (post.h) along a tree (tree.h); the ranks' data travel in between (stream.h).
 * Nothing waits without a limit: for a rank of this host that is seen to have died, no longer than
 * a look at it takes; for one that does not come, SCA_ARRIVE_SECONDS; then everyone gives up.
 *
 * On the thread that calls Finalize. Never allocates.
 */
#ifndef SCA_PROF_GATHER_H
#define SCA_PROF_GATHER_H

#include "windows/window_choice.h"
#include <stdbool.h>
#include <stdint.h>

/* What a rank that arrives says of itself and of those below it in the tree. */
struct sca_arrival {
    uint32_t missing;              /* a rank that is not there, or SCA_NONE */
    uint32_t unable;               /* a rank that cannot send its data, or SCA_NONE */
    uint64_t cost_ns;              /* of the library until now (cost.h and tool_ns), and */
    uint64_t once_ns;              /* of that: while MPI_Init and MPI_Finalize ran, */
    uint64_t calls_ns, calls;      /* and in so many MPI calls, */
    uint64_t cpu_ns;               /* of the processes: sums */
    struct sca_candidates windows; /* that all of them have */
};

/* SCA_REFUSED: rank 0 does not want the data, and says why itself. */
enum sca_gather_result { SCA_GATHERED, SCA_NOT_ARRIVED, SCA_NO_ANSWER, SCA_NO_MEMORY, SCA_REFUSED };
/* SCA_GATHERED when all ranks are there and able. *arrival is this rank's own, then of all ranks
 * below it too; *chosen are the windows that the profile holds. Else arrival->missing is the rank
 * that was waited for, or that is not able. */
enum sca_gather_result sca_gather_arrive(uint32_t rank, uint32_t size, struct sca_arrival *arrival,
                                         struct sca_chosen *chosen);
/* After SCA_GATHERED: rank 0 tells what became of the profile; others learn it: true when it is on
 * disk. `in_touch` is false where this rank could not deliver its data. */
bool sca_gather_verdict(bool written, bool in_touch);

#endif
