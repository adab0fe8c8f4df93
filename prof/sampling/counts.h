/*
 * What the calling thread's hardware counters count between one reading and the next. They are read
 * with each sample, and once more where the interval that it lies in ends: what was counted up to
 * there is that sample's, what comes behind it the next one's. So a loop that lasts as long as
 * samples are apart has its own events, and not those of what ran before it.
 *
 * State of each thread. State lock held, but for sca_counts_are_open().
 */
#ifndef SCA_PROF_COUNTS_H
#define SCA_PROF_COUNTS_H

#include "sca_part.h"

#include <stdbool.h>

/* The thread's counters begin at 0. */
void sca_counts_restart(void);
/* A sample that belongs to a record of SCA_T_SAMPLES; `computes`: in the program's own code, so
 * that what follows is its, too. Counters that were estimated may go back: nothing is counted until
 * they have caught up. */
void sca_counts_take(uint32_t record, bool computes, const uint64_t counters[SCA_MAX_METRICS]);
/* The record of the last sample has the rest, if that was one of the program's own code. */
void sca_counts_rest(const uint64_t counters[SCA_MAX_METRICS]);
/* The last sample's record has what is left, whatever that sample was of: no further one comes. */
void sca_counts_end(const uint64_t counters[SCA_MAX_METRICS]);
/* Whether sca_counts_rest() has something to do. */
bool sca_counts_are_open(void);

#endif
