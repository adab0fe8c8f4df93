/*
 * Who sends to whom: the messages between two ranks, exact, as each side counted them. One-to-one
 * messages alone; what ranks do in collectives is of no pair (calls.h).
 */
#ifndef SCA_DETECT_PAIRS_H
#define SCA_DETECT_PAIRS_H

#include "base/workspace.h"
#include "graph/ppg.h"

#include <stdint.h>

struct sca_pair {
    uint32_t from, to;                 /* ranks of the run */
    uint64_t messages, bytes;          /* as `from` sent them: at calls that send */
    uint64_t received, received_bytes; /* as `to` received them: at calls that complete */
};

struct sca_pairs {
    uint32_t nranks, count;
    struct sca_pair *of;      /* by `from`, then `to`; each once */
    uint64_t messages, bytes; /* sent, all together */
    uint64_t other_world;     /* messages to or from another MPI_COMM_WORLD, in no pair */
    uint64_t unknown;         /* and of those whose peer could not be translated */
    uint32_t absent;          /* ranks that left nothing */
};

/* Of all ranks of the run. In `space`. */
void sca_pairs_collect(struct sca_workspace *space, const struct sca_ppg_run *run,
                       struct sca_pairs *out);

/* The pairs added up by blocks of ranks that follow each other. */
struct sca_pair_blocks {
    uint32_t ranks, count;    /* in a block, but for the last; blocks */
    double *messages, *bytes; /* [from * count + to] */
};

/* At most `most` >= 1 blocks, as small as they can be. In `space`. */
void sca_pairs_by_block(struct sca_workspace *space, const struct sca_pairs *pairs, uint32_t most,
                        struct sca_pair_blocks *out);

#endif
