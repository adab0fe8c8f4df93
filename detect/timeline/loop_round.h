/*
 * Where a loop goes round between two calls: which of what is computed there belongs to the
 * iteration before, and which to the next. The order of the program tells. What lies behind the
 * last call of an iteration is done before the loop goes round, what lies ahead of the first one
 * behind that. Of what is around both calls, or between them in that order, neither is known.
 */
#ifndef SCA_DETECT_LOOP_ROUND_H
#define SCA_DETECT_LOOP_ROUND_H

#include <stdint.h>

struct sca_loop_round {
    const uint32_t *ends;  /* as of sca_ppg_ends() */
    const uint32_t *loops; /* its contexts, rising */
    uint32_t nloops;       /* 0: each interval belongs to the iteration of its call */
};

enum sca_loop_side { SCA_LOOP_BEFORE, SCA_LOOP_AFTER, SCA_LOOP_EITHER };

/* Of a context, between a call of one iteration and a call of the next; one of them may lie outside
 * of the loop. All are vertices. */
enum sca_loop_side sca_loop_side_of(const struct sca_loop_round *round, uint32_t previous,
                                    uint32_t next, uint32_t context);

#endif
