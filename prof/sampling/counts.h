/*
 * What hardware counters count, and where. They are read with each sample, and once more where the
 * interval or the MPI call that it lies in ends. What is counted from a sample to that end, or to
 * the next sample in there, is certain: it is of that place. What is counted before an interval's
 * first sample may come from anywhere since the reading before: from intervals without a sample,
 * from calls, from the interval's own beginning. At the end it is shared out by rates: a place has,
 * in the time that its samples stand for, as many events a second as in what is certain (a ratio
 * estimator: Cochran 1977, chapter 6), and all places together as many as were counted. Until then
 * it lies with the sample, so that nothing is lost if the process dies.
 *
 * State of each thread, and of each record of SCA_T_SAMPLES. State lock held.
 */
#ifndef SCA_PROF_COUNTS_H
#define SCA_PROF_COUNTS_H

#include "sca_part.h"

/* The thread's counters begin at 0. */
void sca_counts_restart(void);
/* A sample of that record, and the thread's CPU time. Counters that were estimated may go back:
 * nothing is counted until they have caught up. */
void sca_counts_take(uint32_t record, const uint64_t counters[SCA_MAX_METRICS], uint64_t cpu_ns);
/* The interval or call that the last sample lies in has ended; NULL: nobody has read them, and what
 * comes is not certain. */
void sca_counts_rest(const uint64_t *counters, uint64_t cpu_ns);
/* No further sample comes: what is left may be of anywhere. */
void sca_counts_end(const uint64_t counters[SCA_MAX_METRICS]);
/* That part of a record's samples, and of their events, is now another one's. */
void sca_counts_move(uint32_t from, uint32_t to, double part);
/* Shares out what may be of anywhere, each thread's among its own records; a sample stands for so
 * much CPU time. Once, when all threads have ended. */
void sca_counts_share_out(uint64_t period_ns);

#endif
